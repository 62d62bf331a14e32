void assert(int condition);

int main(void) {
  assert(1);  // whittle: expect reachable
  assert(1);  // whittle: expect false
  assert(1);  // whittle: expect bounds: maybe
  return 0;
}
