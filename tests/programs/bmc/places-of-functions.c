// The order of declarations says nothing about where functions are.
extern void reach_error(void);
int later(int x);
int earlier(int x) { return x + later(x); }
int later(int x) { return x * 2; }
int main(void) {
    if ((unsigned long)earlier < (unsigned long)later) reach_error();
    return 0;
}
