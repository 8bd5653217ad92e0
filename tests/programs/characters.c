// Signedness of char, escapes, string functions, wide and multi-character constants.
extern int printf(const char *, ...);
extern unsigned long strlen(const char *);
extern int __VERIFIER_nondet_int(void);
static int length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
static int hash(const unsigned char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ *s++; return (int)(h >> 3); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  char c = '\xff'; unsigned char u = '\xff'; signed char s = 0x80;
  printf("%d %d %d %d %d\n", c, u, s, c == u, c < 'a');
  printf("%d %d %d %d %d %d\n", '\n', '\\', '\'', '\0', '\177', '\x7f');
  printf("%d %d %d\n", 'ab', L'\x1234' > 0, (int)sizeof 'a');
  const char *text = "tab\there \"quoted\" \101\x42" "C \?\?/ end";
  printf("%s %d %d\n", text, length(text), hash((const unsigned char *)text));
  c += n; u += n; s -= n;
  printf("%d %d %d %d\n", c, u, s, (char)(c << 1) >> 1);
  char upper[6] = "shout";
  for (char *p = upper; *p; ++p) if (*p >= 'a' && *p <= 'z') *p -= 'a' - 'A';
  printf("%s %c %d\n", upper, "0123456789abcdef"[n & 15], (int)sizeof "size");
  printf("%d %d\n", "abc"[1], *("xyz" + 2));
  return u > c;
}
