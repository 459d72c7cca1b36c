/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Modes, screens and signals of a terminal. */
#include "top/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The second screen, no cursor, no line that goes on in the next one; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[0m\033[?7h\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define LEAVE_MS 200 /* a terminal that takes nothing for longer is left as it is */

static struct {
	int out; /* as standard output, but its writes do not wait; or that */
	bool opened;
	bool has_modes; /* standard input's are below */
	volatile sig_atomic_t taken;
	struct termios before;
	char *pending; /* what it has not taken yet */
	size_t nr_pending, at;
} term;

static volatile sig_atomic_t stop_asked, changed, resumed;

bool terminal_is_there(void)
{
	return isatty(STDOUT_FILENO);
}

bool terminal_has_keys(void)
{
	return isatty(STDIN_FILENO);
}

/* A terminal that controls nobody has no foreground. */
static bool in_foreground(void)
{
	pid_t group = tcgetpgrp(STDOUT_FILENO);

	return group < 0 || group == getpgrp();
}

/* All of it, if the terminal takes it within LEAVE_MS. Safe in a signal handler. */
static void put(const char *text, size_t len)
{
	struct pollfd fd = { .fd = term.out, .events = POLLOUT };

	while (len) {
		ssize_t n = write(term.out, text, len);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			if (poll(&fd, 1, LEAVE_MS) == 0)
				return;
		} else if (n < 0 && errno != EINTR) {
			return;
		}
	}
}

static void take(void)
{
	struct termios raw = term.before;

	term.taken = 1; /* first: a signal that ends us meanwhile gives it back */
	/* Ctrl-C, Ctrl-Z and Ctrl-\ stay what they are; Ctrl-S would stop us with the output. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_iflag &= ~(tcflag_t)IXON;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (term.has_modes)
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	put(ENTER, sizeof(ENTER) - 1);
}

/* In the background the terminal is the shell's, which has set it as it wants it. */
static void give_back(void)
{
	if (!term.taken)
		return;
	if (in_foreground()) {
		put(LEAVE, sizeof(LEAVE) - 1);
		if (term.has_modes)
			tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
	}
	term.taken = 0; /* last, likewise */
}

static void on_signal(int sig)
{
	switch (sig) {
	case SIGTSTP:
		stop_asked = 1;
		break;
	case SIGCONT:
		resumed = 1;
		break;
	default:
		changed = 1;
	}
}

static void catch (int sig)
{
	const struct sigaction sa = { .sa_handler = on_signal };
	struct sigaction old;

	/* Where a shell without job control has it ignored, nobody could go on again. */
	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

void terminal_open(void)
{
	/* Not O_NONBLOCK on the file itself: others that have it, such as the shell, would too. */
	term.out = open("/proc/self/fd/1", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (term.out < 0)
		term.out = STDOUT_FILENO;
	term.has_modes = !tcgetattr(STDIN_FILENO, &term.before);
	term.opened = true;
	catch (SIGWINCH);
	catch (SIGTSTP);
	catch (SIGCONT);
	if (in_foreground())
		take();
}

static void stop_here(void)
{
	struct sigaction old;

	stop_asked = 0;
	give_back();
	/* What has not been shown was of the screen that is gone. */
	term.nr_pending = 0;
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = SIG_DFL }, &old);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &old, NULL);
}

bool terminal_attend(void)
{
	bool again = changed;

	if (!term.opened)
		return false;
	changed = 0;
	if (stop_asked)
		stop_here();
	/* Stopped by SIGSTOP, it was not given back: the shell may have changed its modes. */
	if (resumed && term.taken)
		term.taken = 0;
	resumed = 0;
	if (!term.taken && in_foreground()) {
		take();
		again = true;
	}
	return again;
}

void terminal_size(unsigned *columns, unsigned *rows)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	*columns = size.ws_col ? size.ws_col : TERMINAL_COLUMNS;
	*rows = size.ws_row ? size.ws_row : TERMINAL_ROWS;
}

/* 1: all is written; 0: not yet; -1: the terminal is gone. */
static int flush(void)
{
	while (term.at < term.nr_pending) {
		ssize_t n = write(term.out, term.pending + term.at, term.nr_pending - term.at);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		term.at += (size_t)n;
	}
	term.at = term.nr_pending = 0;
	return 1;
}

/* The lines with what clears the rest of each, and of the screen. */
static int compose(const char *text, size_t len)
{
	char *made = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&made, &size);

	if (!out)
		return -1;
	fputs(HOME, out);
	for (const char *end = text + len; text < end;) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((eol ? eol : end) - text);

		fwrite(text, 1, n, out);
		/* Behind the last line there may be no further one. */
		fputs(text + n + 1 < end ? CLEAR_LINE "\r\n" : CLEAR_LINE, out);
		text += n + 1;
	}
	fputs(CLEAR_BELOW, out);
	if (fclose(out)) {
		free(made);
		return -1;
	}
	free(term.pending);
	term.pending = made;
	term.nr_pending = size;
	term.at = 0;
	return 0;
}

int terminal_draw(const char *text, size_t len)
{
	int done;

	if (!term.taken)
		return 1;
	done = flush();
	if (done <= 0)
		return done;
	if (compose(text, len))
		return -1;
	return flush() < 0 ? -1 : 1;
}

int terminal_read(unsigned char *bytes, size_t len)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t n;

	if (!term.taken || !term.has_modes || poll(&fd, 1, 0) <= 0)
		return 0;
	n = read(STDIN_FILENO, bytes, len);
	if (n > 0)
		return (int)n;
	/* There was something to be read, and it was the end. */
	if (n == 0 && fd.revents & POLLHUP)
		return -1;
	return n < 0 && errno != EINTR && errno != EAGAIN ? -1 : 0;
}

void terminal_close(void)
{
	if (!term.opened)
		return;
	give_back();
	term.opened = false;
	if (term.out != STDOUT_FILENO)
		close(term.out);
	free(term.pending);
	term.pending = NULL;
	term.nr_pending = 0;
}

void terminal_last_words(void)
{
	give_back();
}
