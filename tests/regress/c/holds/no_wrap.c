// Nothing wraps around here, but only the loop as a whole says so.
void reach_error(void);
int nondet_int(void);

int main(void) {
  int i = 0, n = nondet_int(), a = 0, b = 0;
  if (n < 0 || n > 1000000) return 0;
  while (i < n) {
    if (nondet_int()) {
      a = a + 1;
      b = b + 2;
    } else {
      a = a + 2;
      b = b + 1;
    }
    i = i + 1;
  }
  if (a + b != 3 * n) reach_error();
  return 0;
}
