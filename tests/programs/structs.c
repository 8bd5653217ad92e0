// Structs by value, nested, copied, in arrays, with flexible members, packed, aligned; linked data.
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct small { char c; };
struct vec { double x, y; };
struct big { int values[12]; struct vec v; struct small s; };
struct __attribute__((packed)) packed { char a; int b; short c; double d; };
struct aligned { char a; int b __attribute__((aligned(16))); char c; } __attribute__((aligned(32)));
struct flexible { int count; short items[]; };
struct node { int value; struct node *next; };
static struct vec add(struct vec a, struct vec b) { a.x += b.x; a.y += b.y; return a; }
static struct big change(struct big b, int at, int value) { b.values[at] = value; b.v = add(b.v, (struct vec){1, value}); b.s.c++; return b; }
static struct small tiny(struct small s) { return s.c > 5 ? s : (struct small){9}; }
static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return list;
  *n = (struct node){value, list};
  return n;
}
static struct flexible constant = {3, {7, 8, 9}};
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct big one = {{1, 2, 3}, {0.5, -0.5}, {'a'}}, two = change(one, 2, n);
  printf("%d %d %d %d %c\n", one.values[2], two.values[2], two.v.x == 1.5, two.v.y == n - 0.5, two.s.c);
  struct big array[2]; array[1] = one; array[0] = array[1]; array[0].v = two.v;
  printf("%d %c %d\n", array[0].v.x == two.v.x, tiny(array[0].s).c, tiny((struct small){3}).c);
  struct packed p = {1, n, 3, 4.5}, q = p; q.b++; *(&q.b) += 2;
  printf("%d %d %d %d %d\n", (int)sizeof p, p.b, q.b, q.c, q.d == 4.5);
  struct aligned a[2]; a[1].b = n; a[1].c = 7;
  printf("%d %d %d\n", (int)sizeof(struct aligned), (int)((char *)&a[1].b - (char *)&a[1]), a[1].b + a[1].c);
  struct flexible *f = malloc(sizeof *f + 4 * sizeof f->items[0]);
  if (!f) return 1;
  for (f->count = 0; f->count < 4; f->count++) f->items[f->count] = (short)(n * f->count);
  printf("%d %d %d\n", f->items[3], constant.items[2], (int)sizeof constant);
  free(f);
  struct node *list = 0, *reversed = 0;
  for (int i = 0; i < (n & 7); i++) list = push(list, i * i);
  while (list) { struct node *next = list->next; list->next = reversed; reversed = list; list = next; }
  for (struct node *at = reversed; at; at = at->next) printf("%d ", at->value);
  struct { struct vec v[2]; int n; } anonymous = {.v[1].y = 3}, copy = anonymous; copy.v[0] = copy.v[1];
  printf("%d\n", copy.v[0].y == 3);
  return two.values[2] & 63;
}
