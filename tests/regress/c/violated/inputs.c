// expect: error at line 12=violated
// A char is signed, and an input of it reaches all its values.
char __VERIFIER_nondet_char(void);
void __VERIFIER_assume(int condition);
void reach_error(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  int x;
  __VERIFIER_assume(c < 0);
  x = (unsigned char)c;
  if (x == 128) reach_error();
  return 0;
}
