#include "cli/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace rondo::cli {
namespace {

/// Why a stream failed first. A log is printed by several threads.
std::atomic<int> output_error = 0;
std::atomic<int> message_error = 0;

std::atomic<int>& error_of(std::FILE* stream) { return stream == stderr ? message_error : output_error; }

void remember(std::FILE* stream, int reason) {
  int none = 0;
  error_of(stream).compare_exchange_strong(none, reason == 0 ? EIO : reason);
}

}  // namespace

void write_to(std::FILE* stream, std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size()) remember(stream, errno);
}

int printing_error(std::FILE* stream) {
  errno = 0;
  if (std::fflush(stream) != 0 || std::ferror(stream) != 0) remember(stream, errno);
  return error_of(stream);
}

void reserve_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. Opened the wrong way round: to use it is an error, as before.
    (void)::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace rondo::cli
