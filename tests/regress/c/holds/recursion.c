// run: --engine explicit
// Functions that call themselves, each other, and more than once: values of an activation outlast
// what it calls.
void reach_error(void);

int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }

int fibonacci(int n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int odd(unsigned int n);
int even(unsigned int n) { return n == 0 || odd(n - 1); }
int odd(unsigned int n) { return n != 0 && even(n - 1); }

int main(void) {
  unsigned int n = 0;
  if (sum(5) != 15) reach_error();
  if (fibonacci(6) != 8) reach_error();
  for (n = 0; n < 4; n++)
    if (even(n) != (n % 2 == 0)) reach_error();
  return 0;
}
