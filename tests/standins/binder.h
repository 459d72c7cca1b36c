/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A call over binder to another process, which answers at a set time: with the kernel's driver and
 * nothing of Android's libraries. The server is the context manager, so that its handle is 0.
 */
#ifndef TESTS_BINDER_H
#define TESTS_BINDER_H

#include <errno.h>
#include <fcntl.h>
#include <linux/android/binder.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define BINDER_MAP_BYTES (128u << 10)

static const char *const binder_devices[] = { "/dev/binderfs/binder", "/dev/binder" };

/* Is there a driver to be used? */
static inline int binder_is_there(void)
{
	return !access(binder_devices[0], R_OK | W_OK) || !access(binder_devices[1], R_OK | W_OK);
}

/* A descriptor with a mapping for what is received, or -errno. */
static inline int binder_open(void)
{
	int fd = open(binder_devices[0], O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fd = open(binder_devices[1], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (mmap(NULL, BINDER_MAP_BYTES, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, 0) ==
	    MAP_FAILED)
		return -errno;
	return fd;
}

/* Commands on their way to the driver. */
struct binder_commands {
	char bytes[256];
	size_t len;
};

static inline void binder_add(struct binder_commands *c, uint32_t command, const void *data,
			      size_t len)
{
	memcpy(c->bytes + c->len, &command, sizeof(command));
	memcpy(c->bytes + c->len + sizeof(command), data, len);
	c->len += sizeof(command) + len;
}

static inline void binder_add_transaction(struct binder_commands *c, uint32_t command,
					  const uint64_t *data)
{
	const struct binder_transaction_data tr = {
		.data_size = sizeof(*data),
		.data.ptr.buffer = (binder_uintptr_t)(uintptr_t)data,
	};

	binder_add(c, command, &tr, sizeof(tr));
}

/*
 * Send the commands, and wait for the next transaction or reply: what it holds, and its buffer,
 * which is to be given back. 0 or -errno.
 */
static inline int binder_talk(int fd, struct binder_commands *c, uint32_t wanted, uint64_t *data,
			      binder_uintptr_t *buffer)
{
	char received[256];

	for (;;) {
		struct binder_write_read bwr = {
			.write_size = c->len,
			.write_buffer = (binder_uintptr_t)(uintptr_t)c->bytes,
			.read_size = sizeof(received),
			.read_buffer = (binder_uintptr_t)(uintptr_t)received,
		};

		if (ioctl(fd, BINDER_WRITE_READ, &bwr)) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		c->len = 0;
		for (size_t at = 0; at + sizeof(uint32_t) <= bwr.read_consumed;) {
			struct binder_transaction_data tr;
			uint32_t command;

			memcpy(&command, received + at, sizeof(command));
			at += sizeof(command);
			if (command == BR_DEAD_REPLY || command == BR_FAILED_REPLY)
				return -EIO;
			if (command == wanted) {
				memcpy(&tr, received + at, sizeof(tr));
				memcpy(data, (const void *)(uintptr_t)tr.data.ptr.buffer,
				       sizeof(*data));
				*buffer = tr.data.ptr.buffer;
				return 0;
			}
			at += _IOC_SIZE(command);
		}
	}
}

/* Answers each deadline that it is sent, when it has come, until nobody is there any more. */
static inline int binder_serve(int ready, void (*sleep_until_ns)(uint64_t ns))
{
	struct binder_commands c = { .len = 0 };
	binder_uintptr_t buffer = 0;
	int fd = binder_open(), zero = 0;
	uint64_t deadline;

	if (fd < 0 || ioctl(fd, BINDER_SET_CONTEXT_MGR, &zero) || write(ready, "", 1) != 1)
		return -1;
	binder_add(&c, BC_ENTER_LOOPER, "", 0);
	while (!binder_talk(fd, &c, BR_TRANSACTION, &deadline, &buffer)) {
		sleep_until_ns(deadline);
		binder_add_transaction(&c, BC_REPLY, &deadline);
		binder_add(&c, BC_FREE_BUFFER, &buffer, sizeof(buffer));
	}
	return -1;
}

/* 0 or -errno. */
static inline int binder_call(int fd, uint64_t deadline)
{
	struct binder_commands c = { .len = 0 };
	binder_uintptr_t buffer = 0;
	struct binder_write_read bwr;
	int err;

	binder_add_transaction(&c, BC_TRANSACTION, &deadline);
	err = binder_talk(fd, &c, BR_REPLY, &deadline, &buffer);
	if (err)
		return err;
	binder_add(&c, BC_FREE_BUFFER, &buffer, sizeof(buffer));
	bwr = (struct binder_write_read){
		.write_size = c.len,
		.write_buffer = (binder_uintptr_t)(uintptr_t)c.bytes,
	};
	return ioctl(fd, BINDER_WRITE_READ, &bwr) ? -errno : 0;
}

#endif
