// run: --check overflow
// expect: bounds=violated
// expect: division=violated
// expect: shift=violated
// expect: overflow=violated
// expect: error at line 21=holds
// Each fault ends the run, but an overflow, which wraps as well.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int a[3] = {0};
  int i = __VERIFIER_nondet_int();
  if (i > 2 && i < 5) return a[i];
  if (i == 5) return 1 / (i - 5);
  if (i == 6) return 1 << (i + 26);
  if (i == 7) {
    i = 2147483647;
    i = i + 1;
    if (i < 0) return 0;
    reach_error();
  }
  return 0;
}
