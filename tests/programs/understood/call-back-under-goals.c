// claim: unknown pthread_once
extern void reach_error(void);
extern int pthread_once(int *, void (*)(void));
static void once(void) { reach_error(); }
static int done;
int main(void) {
    pthread_once(&done, once);
    return 0;
}
