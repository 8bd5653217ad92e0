// Dynamic memory: lists, trees, arrays that grow, memory functions.
extern int printf(const char *, ...);
typedef unsigned long size_t;
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t), *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *);
extern char *strcpy(char *, const char *);
extern int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *child[2]; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) { t = calloc(1, sizeof *t); if (t) t->key = key; return t; }
  if (key != t->key) t->child[key > t->key] = insert(t->child[key > t->key], key);
  return t;
}
static int walk(struct tree *t, int depth) { return t ? walk(t->child[0], depth + 1) * 3 + t->key * depth + walk(t->child[1], depth + 1) : 0; }
static void drop(struct tree *t) { if (t) { drop(t->child[0]); drop(t->child[1]); free(t); } }
int main(void) {
  struct tree *root = 0; int n, count = 0, room = 0, *values = 0;
  for (int i = 0; i < 6 && (n = __VERIFIER_nondet_int()) != 3; i++) {
    root = insert(root, n & 31);
    if (count == room) { room = room * 2 + 1; values = realloc(values, room * sizeof *values); if (!values) return 9; }
    values[count++] = n;
  }
  printf("%d %d\n", walk(root, 1), count);
  drop(root);
  for (int i = 1; i < count; i++) { int v = values[i], k = i; while (k > 0 && values[k - 1] > v) { values[k] = values[k - 1]; k--; } values[k] = v; }
  for (int i = 0; i < count; i++) printf("%d ", values[i]);
  char *text = malloc(20), other[20];
  if (!text) return 8;
  strcpy(text, "hello world"); memcpy(other, text, 12); memset(other + 5, '_', 1); memmove(text + 2, text, 5); text[7] = 0;
  printf("%s %s %d %d\n", text, other, memcmp(text, other, 3) != 0, strcmp(other, "hello_world"));
  free(text); free(values);
  return count;
}
