// Mistakes in the text, each found by itself.
int main(void) {
  int x = 1
  x = 2;
  y = 3;
  if (x) { x = 3 +; }
  goto nowhere;
  return 08;
}
