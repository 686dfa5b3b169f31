/* A library that is loaded before the C library (LD_PRELOAD) and stands between a program and the system. It does one
 * of two things for the tests beside this file:
 *
 * - It makes the n-th call of a kind fail, once or from then on.
 * - It writes a log of everything that changes files, from which crash.py builds what a crash may leave behind.
 *
 * RONDO_FAULT_CONTROL names a file of struct Control, which the test maps as well: so it can arm and read the counters
 * while the program runs. RONDO_FAULT_FOLDER is the folder whose files count (memory counts everywhere),
 * RONDO_FAULT_LOG the log. Calls are counted from the beginning of main: what the loader does before is not the
 * program's.
 *
 * What the C library does inside itself passes by: stdio's own writes (standard output, which is no file of ours). The
 * test that compares the log with strace shows that nothing else does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The order is that of KINDS in faults.py. */
enum Kind { MEMORY, WRITE, SYNC, RENAME, OPEN, RESIZE, MAP, UNLINK, KINDS };

struct Control {
  uint32_t armed; /* the test sets it; 2: when main begins */
  uint32_t kind;
  uint64_t fail_at; /* counted from 1 */
  uint32_t error;   /* an errno; 0: a short write */
  uint32_t sticky;  /* all that follow fail, too */
  uint64_t failed;  /* how many did */
  uint64_t counted[KINDS];
};

static struct Control none;
static struct Control* control = &none;
static char folder[4096];
static size_t folder_length;
static int log_file = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER; /* a change and its line of the log are one step */

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

/* Whether this call of the kind is to fail. */
static int fails(enum Kind kind) {
  if (__atomic_load_n(&control->armed, __ATOMIC_ACQUIRE) != 1) return 0;
  const uint64_t number = __atomic_add_fetch(&control->counted[kind], 1, __ATOMIC_RELAXED);
  if (control->kind != (uint32_t)kind || control->fail_at == 0) return 0;
  if (number != control->fail_at && !(control->sticky && number > control->fail_at)) return 0;
  __atomic_add_fetch(&control->failed, 1, __ATOMIC_RELAXED);
  return 1;
}

static int failure(void) {
  errno = (int)(control->error != 0 ? control->error : EIO);
  return -1;
}

/* ---- which files count ---- */

static int inside(const char* path) {
  return folder_length != 0 && strncmp(path, folder, folder_length) == 0 &&
         (path[folder_length] == '/' || path[folder_length] == '\0');
}

/* The path as the kernel knows it; false: not one of ours. */
static int path_of(int file, char* out, size_t size) {
  if (folder_length == 0) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, out, size - 1);
  if (length <= 0) return 0;
  out[length] = '\0';
  return inside(out);
}

/* Absolute, with the folder as it is. The tests give no names with dots or links in them. */
static int full_path(int at, const char* path, char* out, size_t size) {
  if (path[0] == '/') {
    snprintf(out, size, "%s", path);
    return inside(out);
  }
  if (at == AT_FDCWD) {
    if (getcwd(out, size) == NULL) return 0;
  } else if (!path_of(at, out, size)) {
    return 0;
  }
  const size_t length = strlen(out);
  snprintf(out + length, size - length, "/%s", path);
  return inside(out);
}

static int counts(int file) {
  char path[4096];
  return path_of(file, path, sizeof path);
}

/* ---- the log ---- */

struct Line {
  uint32_t kind; /* a letter, as crash.py reads it */
  uint32_t first;
  uint32_t second;
  uint32_t reserved;
  uint64_t inode;
  uint64_t offset;
  uint64_t data;
}; /* then the two paths and the data */

static int logging(void) { return log_file >= 0; }

static void note(char kind, uint64_t inode, uint64_t offset, const char* first, const char* second, const void* data,
                 size_t size) {
  const struct Line line = {(uint32_t)kind,
                            first ? (uint32_t)strlen(first) : 0,
                            second ? (uint32_t)strlen(second) : 0,
                            0,
                            inode,
                            offset,
                            size};
  const struct iovec parts[] = {
      {(void*)&line, sizeof line}, {(void*)first, line.first}, {(void*)second, line.second}, {(void*)data, size}};
  const size_t all = sizeof line + line.first + line.second + size;
  if (syscall(SYS_writev, log_file, parts, 4) != (ssize_t)all) abort();
}

static uint64_t inode_of(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

static uint64_t inode_at(const char* path) {
  struct stat status;
  return lstat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* Several processes may write to one log. */
static void begin(void) {
  if (!logging()) return;
  pthread_mutex_lock(&order);
  while (syscall(SYS_flock, log_file, LOCK_EX) != 0 && errno == EINTR) {
  }
}
static void end(void) {
  if (!logging()) return;
  const int kept = errno;
  syscall(SYS_flock, log_file, LOCK_UN);
  pthread_mutex_unlock(&order);
  errno = kept;
}

/* ---- memory ---- */

EXPORT void* malloc(size_t size) {
  if (fails(MEMORY)) return errno = ENOMEM, NULL;
  return __libc_malloc(size);
}
EXPORT void* calloc(size_t count, size_t size) {
  if (fails(MEMORY)) return errno = ENOMEM, NULL;
  return __libc_calloc(count, size);
}
EXPORT void* realloc(void* old, size_t size) {
  if (fails(MEMORY)) return errno = ENOMEM, NULL;
  return __libc_realloc(old, size);
}
EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  if (fails(MEMORY)) return errno = ENOMEM, NULL;
  return __libc_memalign(alignment, size);
}
EXPORT int posix_memalign(void** out, size_t alignment, size_t size) {
  if (fails(MEMORY)) return ENOMEM;
  void* at = __libc_memalign(alignment, size);
  if (at == NULL) return ENOMEM;
  *out = at;
  return 0;
}
EXPORT void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(MAP)) return errno = ENOMEM, MAP_FAILED;
  /* Pages that are shared with a file change it without a call: nothing but SQLite's -shm may be such a file. */
  if (logging() && file >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE)) {
    char path[4096];
    if (path_of(file, path, sizeof path)) {
      begin();
      note('M', inode_of(file), 0, path, NULL, NULL, 0);
      end();
    }
  }
  return (void*)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
EXPORT void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

/* ---- writes ---- */

static ssize_t write_here(int file, const void* bytes, size_t size, off_t offset, int placed) {
  if (!counts(file)) {
    return placed ? syscall(SYS_pwrite64, file, bytes, size, offset) : syscall(SYS_write, file, bytes, size);
  }
  if (fails(WRITE)) {
    if (control->error != 0 || size < 2) return failure();
    size /= 2;
  }
  begin();
  if (!placed && logging()) {
    const int flags = fcntl(file, F_GETFL);
    offset = lseek(file, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  const ssize_t done =
      placed ? syscall(SYS_pwrite64, file, bytes, size, offset) : syscall(SYS_write, file, bytes, size);
  if (done > 0 && logging()) note('W', inode_of(file), (uint64_t)offset, NULL, NULL, bytes, (size_t)done);
  end();
  return done;
}
EXPORT ssize_t write(int file, const void* bytes, size_t size) { return write_here(file, bytes, size, 0, 0); }
EXPORT ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  return write_here(file, bytes, size, offset, 1);
}
EXPORT ssize_t pwrite64(int file, const void* bytes, size_t size, off_t offset) {
  return write_here(file, bytes, size, offset, 1);
}
/* As the kernel may: only the first part that is not empty. */
EXPORT ssize_t writev(int file, const struct iovec* parts, int count) {
  if (!counts(file)) return syscall(SYS_writev, file, parts, count);
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len != 0) return write(file, parts[i].iov_base, parts[i].iov_len);
  }
  return 0;
}

/* ---- syncs: the disk need not do it; the log says when it would be done ---- */

static int sync_here(int file) {
  char path[4096];
  if (!path_of(file, path, sizeof path)) return (int)syscall(SYS_fsync, file);
  if (fails(SYNC)) return failure();
  begin();
  if (logging()) note('S', inode_of(file), 0, path, NULL, NULL, 0);
  end();
  return 0;
}
EXPORT int fsync(int file) { return sync_here(file); }
EXPORT int fdatasync(int file) { return sync_here(file); }

/* ---- names ---- */

static int rename_here(int from_at, const char* from, int to_at, const char* to, unsigned flags) {
  char first[4096];
  char second[4096];
  const int ours = full_path(from_at, from, first, sizeof first) | full_path(to_at, to, second, sizeof second);
  if (ours && fails(RENAME)) return failure();
  begin();
  const int done = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  if (done == 0 && ours && logging()) note('R', inode_at(second), 0, first, second, NULL, 0);
  end();
  return done;
}
EXPORT int rename(const char* from, const char* to) { return rename_here(AT_FDCWD, from, AT_FDCWD, to, 0); }
EXPORT int renameat(int from_at, const char* from, int to_at, const char* to) {
  return rename_here(from_at, from, to_at, to, 0);
}
EXPORT int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) {
  return rename_here(from_at, from, to_at, to, flags);
}

static int link_here(int from_at, const char* from, int to_at, const char* to, int flags) {
  char second[4096];
  const int ours = full_path(to_at, to, second, sizeof second);
  if (ours && fails(RENAME)) return failure();
  begin();
  const int done = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
  if (done == 0 && ours && logging()) note('L', inode_at(second), 0, second, NULL, NULL, 0);
  end();
  return done;
}
EXPORT int link(const char* from, const char* to) { return link_here(AT_FDCWD, from, AT_FDCWD, to, 0); }
EXPORT int linkat(int from_at, const char* from, int to_at, const char* to, int flags) {
  return link_here(from_at, from, to_at, to, flags);
}

static int unlink_here(int at, const char* name, int flags) {
  char path[4096];
  const int ours = full_path(at, name, path, sizeof path);
  if (ours && fails(UNLINK)) return failure();
  begin();
  const int done = (int)syscall(SYS_unlinkat, at, name, flags);
  if (done == 0 && ours && logging()) note('U', 0, 0, path, NULL, NULL, 0);
  end();
  return done;
}
EXPORT int unlink(const char* name) { return unlink_here(AT_FDCWD, name, 0); }
EXPORT int unlinkat(int at, const char* name, int flags) { return unlink_here(at, name, flags); }
EXPORT int rmdir(const char* name) { return unlink_here(AT_FDCWD, name, AT_REMOVEDIR); }
EXPORT int remove(const char* name) {
  const int done = unlink(name);
  return done != 0 && errno == EISDIR ? rmdir(name) : done;
}

EXPORT int mkdir(const char* name, mode_t mode) {
  char path[4096];
  const int ours = full_path(AT_FDCWD, name, path, sizeof path);
  begin();
  const int done = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
  if (done == 0 && ours && logging()) note('D', 0, 0, path, NULL, NULL, 0);
  end();
  return done;
}

static int open_here(int at, const char* name, int flags, mode_t mode) {
  char path[4096];
  const int ours = full_path(at, name, path, sizeof path);
  if (ours && fails(OPEN)) return failure();
  begin();
  /* A file without a name may get one later, by linkat. */
  const int nameless = (flags & O_TMPFILE) == O_TMPFILE;
  const int is_new = ours && logging() && (nameless || ((flags & O_CREAT) && inode_at(path) == 0));
  const int file = (int)syscall(SYS_openat, at, name, flags, mode);
  if (file >= 0 && is_new) {
    note('C', inode_of(file), 0, nameless ? NULL : path, NULL, NULL, 0);
  } else if (file >= 0 && ours && logging() && (flags & O_TRUNC)) {
    note('T', inode_of(file), 0, path, NULL, NULL, 0);
  }
  end();
  return file;
}

static mode_t mode_in(int flags, va_list list) {
  return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(list, unsigned) : 0;
}
EXPORT int open(const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return open_here(AT_FDCWD, name, flags, mode);
}
EXPORT int openat(int at, const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return open_here(at, name, flags, mode);
}
extern __typeof(open) open64 __attribute__((alias("open"), visibility("default")));
extern __typeof(openat) openat64 __attribute__((alias("openat"), visibility("default")));
EXPORT int __open_2(const char* name, int flags) { return open_here(AT_FDCWD, name, flags, 0); }
EXPORT int __openat_2(int at, const char* name, int flags) { return open_here(at, name, flags, 0); }

/* stdio opens by itself; std::ofstream comes this way, and then writes by write and writev. */
static FILE* fopen_here(const char* name, const char* mode) {
  int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  if (strchr(mode, 'e')) flags |= O_CLOEXEC;
  const int file = open_here(AT_FDCWD, name, flags, 0666);
  if (file < 0) return NULL;
  FILE* stream = fdopen(file, mode);
  if (stream == NULL) close(file);
  return stream;
}
EXPORT FILE* fopen(const char* name, const char* mode) { return fopen_here(name, mode); }
EXPORT FILE* fopen64(const char* name, const char* mode) { return fopen_here(name, mode); }

/* ---- sizes ---- */

static int resize_here(int file, off_t size) {
  if (counts(file) && fails(RESIZE)) return failure();
  begin();
  const int done = (int)syscall(SYS_ftruncate, file, size);
  if (done == 0 && logging() && counts(file)) note('T', inode_of(file), (uint64_t)size, NULL, NULL, NULL, 0);
  end();
  return done;
}
EXPORT int ftruncate(int file, off_t size) { return resize_here(file, size); }
EXPORT int ftruncate64(int file, off_t size) { return resize_here(file, size); }
/* No file system has to support it; then callers do without, and the log needs no line of its own. */
EXPORT int fallocate(int file, int mode, off_t offset, off_t size) {
  (void)mode, (void)offset, (void)size;
  if (counts(file) && fails(RESIZE)) return failure();
  errno = EOPNOTSUPP;
  return -1;
}
/* The same holds for copies inside the kernel. */
EXPORT ssize_t copy_file_range(int in, off_t* in_at, int out, off_t* out_at, size_t size, unsigned flags) {
  (void)in, (void)in_at, (void)out, (void)out_at, (void)size, (void)flags;
  errno = ENOSYS;
  return -1;
}
EXPORT ssize_t sendfile(int out, int in, off_t* offset, size_t size) {
  if (!counts(out)) return syscall(SYS_sendfile, out, in, offset, size);
  errno = EINVAL;
  return -1;
}

/* ---- the beginning ---- */

static void read_settings(void) {
  const char* name = getenv("RONDO_FAULT_FOLDER");
  if (name != NULL) {
    snprintf(folder, sizeof folder, "%s", name);
    folder_length = strlen(folder);
  }
  name = getenv("RONDO_FAULT_LOG");
  if (name != NULL) {
    log_file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_file < 0) abort();
  }
  name = getenv("RONDO_FAULT_CONTROL");
  if (name == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0);
  void* at = (void*)syscall(SYS_mmap, NULL, sizeof(struct Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || at == MAP_FAILED) abort();
  syscall(SYS_close, file);
  control = at;
}

typedef int (*Main)(int, char**, char**);
static Main main_of_program;

static int main_here(int argc, char** argv, char** environment) {
  read_settings();
  if (control->armed == 2) __atomic_store_n(&control->armed, 1, __ATOMIC_RELEASE);
  return main_of_program(argc, argv, environment);
}

EXPORT int __libc_start_main(Main main_given, int argc, char** argv, void (*init)(void), void (*fini)(void),
                             void (*loader_fini)(void), void* stack_end) {
  typedef int (*Start)(Main, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  Start start;
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  main_of_program = main_given;
  return start(main_here, argc, argv, init, fini, loader_fini, stack_end);
}
