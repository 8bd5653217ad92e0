// Flexible array members with initialisers: the variable has room for them, and its type does not.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

struct list { int count; int items[]; };
struct text { short length; char bytes[]; };
struct pair { int a, b; };
struct pairs { char tag; struct pair all[]; };

static struct list before = {1, {11}};
struct list three = {3, {0, 1, 2}};
static struct list after = {2, {21, 22}};
static struct text word = {3, "abc"}, empty = {0};
struct pairs two = {'p', {{1, 2}, {.b = 4}}};
struct list spread = {5, {[4] = 9, [1] = 7}};
int *second = &three.items[1];
const struct text *const shown = &word;

static int sum(const struct list *l) {
  int s = 0;
  for (int i = 0; i < l->count; i++) s += l->items[i];
  return s;
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 1;
  static struct list inner = {2, {5, 6}};
  printf("%d %d %d %d\n", (int)sizeof three, (int)sizeof(struct list), (int)sizeof word, (int)sizeof two);
  printf("%d %d %d %d %d\n", sum(&before), sum(&three), sum(&after), sum(&spread), sum(&inner));
  three.items[2] += 40; inner.items[n]++;
  printf("%d %d %d %d\n", sum(&three), before.items[0], after.items[0], inner.items[n]);
  printf("%s %d %d %d\n", shown->bytes, word.bytes[1], *second, two.all[1].b + two.all[n].a);
  struct list copy = three;
  printf("%d %d\n", copy.count, (int)(second - three.items));
  printf("%d\n", empty.length);
  return 0;
}
