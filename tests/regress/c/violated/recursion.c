// expect: error at line 11=violated
int __VERIFIER_nondet_int(void);
void reach_error(void);

int down(int n, int times) {
  if (n <= 1) return times;
  return down(n / 2, times + 1);
}

int main(void) {
  if (down(__VERIFIER_nondet_int(), 0) == 3) reach_error();
  return 0;
}
