// Stands for a tool that misbehaves, in the way of the first argument, with a number as the second.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Takes memory and touches it, megabyte by megabyte; without limits it stops at 2 GB by itself.
static void hog(int megabytes) {
    for (int i = 0; i < megabytes && i < 2048; i++) {
        char *block = malloc(1 << 20);
        if (!block) abort();
        memset(block, i | 1, 1 << 20);
    }
    sleep(60);
}

// Every process starts two, up to a depth that bounds them all.
static void bomb(int depth) {
    for (int i = 0; i < 2 && depth > 0; i++) {
        if (fork() == 0) {
            bomb(depth - 1);
            _exit(0);
        }
    }
    for (int i = 0; i < 60; i++) sleep(1);
}

static void spin(void) {
    for (volatile unsigned long i = 0;; i++) {
    }
}

// A daemon: a session of its own, no parent, no environment.
static void daemonise(char **argv, const char *what) {
    if (fork() != 0) return;
    setsid();
    if (fork() != 0) _exit(0);
    char *arguments[] = {argv[0], (char *)what, "100", NULL};
    char *nothing[] = {NULL};
    execve("/proc/self/exe", arguments, nothing);
    _exit(1);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    if (!strcmp(what, "hog")) hog(number);
    else if (!strcmp(what, "bomb")) bomb(number);
    else if (!strcmp(what, "spin")) spin();
    else if (!strcmp(what, "sleep")) sleep(60);
    else if (!strcmp(what, "children")) {
        // Each of several children takes a part: no single one is over a limit.
        for (int i = 0; i < 4; i++)
            if (fork() == 0) hog(number);
        sleep(60);
    } else if (!strcmp(what, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        for (;;) sleep(1);
    } else if (!strcmp(what, "daemon")) {
        daemonise(argv, "stubborn");
        usleep(300000);
        return 7;
    } else if (!strcmp(what, "spinning-daemon")) {
        daemonise(argv, "spin");
        sleep(60);
    } else if (!strcmp(what, "work")) {
        // A child's time on the core counts when the child is gone.
        if (fork() == 0) alarm(1), spin();
        sleep(2);
        return 3;
    } else if (!strcmp(what, "talk")) {
        for (int i = 0; i < number; i++) puts("0123456789012345678901234567890123456789012345678901234567890123");
    } else return 99;
    return 0;
}
