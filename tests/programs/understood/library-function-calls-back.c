// claim: unknown pthread_once is a function of the C library
extern void reach_error(void);
int pthread_once(int *control, void (*routine)(void));
int once, x;
void routine(void) { x = 1; }
int main(void) {
    pthread_once(&once, routine);
    if (x) reach_error();
    return 0;
}
