// Pointers whose value nobody needs, addresses that are numbers, and a length that never changes.
void reach_error(void);
int printf(const char *format, ...);

int main(void) {
  const char *text;
  const char *other = "never read";
  unsigned int length = 3, i;
  int values[length];
  text = (const char *)"%d\n";
  for (i = 0; i < length; i++) values[i] = (int)i;
  printf(text, values[2]);
  if ((unsigned long)(void *)0 != 0) reach_error();
  if (values[1] != 1) reach_error();
  return 0;
}
