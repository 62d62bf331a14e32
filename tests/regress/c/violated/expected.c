// exit: 0
// What is expected stands behind the assertion, above it, or names the question.
int __VERIFIER_nondet_int(void);
void reach_error(void);
void assert(int condition);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 3 / x;  /* whittle: expect division: violated */
  assert(x < 5);  // whittle: expect violated
  // whittle: expect violated in 9
  assert(x != 1);
  if (x + y == -4) reach_error();  // whittle: expect violated
  return 0;
}
