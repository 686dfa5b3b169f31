#include "bench/server_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <fstream>

namespace rondo::bench {

ServerProcess::ServerProcess(const std::string& db) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl("/proc/self/exe", "rondo", "serve", "--db", db.c_str(), "--port", "0", nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string line;
  char c = 0;
  while (::read(ends[0], &c, 1) == 1 && c != '\n') line += c;
  ::close(ends[0]);
  const std::size_t colon = line.rfind(':');
  if (colon != std::string::npos) std::from_chars(line.data() + colon + 1, line.data() + line.size(), port_);
}

ServerProcess::~ServerProcess() {
  if (process_ <= 0) return;
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

double ServerProcess::memory() const {
  std::ifstream in("/proc/" + std::to_string(process_) + "/statm");
  double all = 0;
  double resident = 0;
  in >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace rondo::bench
