"""What Python lacks on systems that are not like Unix."""

MODULES = frozenset(
    "crypt curses fcntl grp nis ossaudiodev posix pty pwd readline resource selectors spwd syslog "
    "termios tty".split()
)
# By module; selectors are among the modules because they cannot wait for pipes there.
NAMES = {
    "os": frozenset(
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NOCTTY O_NONBLOCK O_SYNC WEXITSTATUS WNOHANG chown "
        "chroot confstr ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups "
        "getloadavg getpgid getpgrp getpriority getsid getuid initgroups killpg lchown lockf "
        "mkfifo mknod nice openpty posix_spawn pread preadv pwrite pwritev register_at_fork "
        "sched_getaffinity sched_yield sendfile set_blocking setgid setpgid setpriority setsid "
        "setuid sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid".split()
    ),
    "signal": frozenset(
        "ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP "
        "SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGWINCH alarm getitimer pause pthread_kill "
        "pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait "
        "sigwaitinfo".split()
    ),
    "socket": frozenset({"AF_UNIX", "socketpair"}),
    "subprocess": frozenset({"getoutput", "getstatusoutput"}),
    "time": frozenset({"clock_settime", "pthread_getcpuclockid", "tzset"}),
}
