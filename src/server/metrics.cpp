#include "server/metrics.h"

#include <fmt/format.h>

namespace rondo::server {

void Metrics::answered(unsigned status, double seconds) {
  ++answers[status / 100 < answers.size() ? status / 100 : 0];
  std::size_t bucket = 0;
  while (bucket < kTimes.size() && seconds > kTimes[bucket]) ++bucket;
  ++times[bucket];
  microseconds += static_cast<std::uint64_t>(seconds * 1e6);
}

std::string Metrics::to_text() const {
  std::string out =
      "# HELP rondo_requests_total Requests answered, by class of status.\n# TYPE rondo_requests_total counter\n";
  for (std::size_t i = 1; i < answers.size(); ++i) {
    out += fmt::format("rondo_requests_total{{status=\"{}xx\"}} {}\n", i, answers[i].load());
  }
  out += "# HELP rondo_request_seconds Time from a request to its response.\n# TYPE rondo_request_seconds histogram\n";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    sum += times[i].load();
    out += fmt::format("rondo_request_seconds_bucket{{le=\"{}\"}} {}\n", kTimes[i], sum);
  }
  sum += times.back().load();
  out += fmt::format("rondo_request_seconds_bucket{{le=\"+Inf\"}} {}\nrondo_request_seconds_sum {}\n", sum,
                     static_cast<double>(microseconds.load()) / 1e6);
  out += fmt::format("rondo_request_seconds_count {}\n", sum);
  const auto add = [&](const char* name, const char* help, const char* type, auto value) {
    out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
  };
  add("rondo_connections", "Connections currently open.", "gauge", connections.load());
  add("rondo_connections_refused_total", "Connections refused because the limit was reached.", "counter",
      refused.load());
  add("rondo_requests_refused_total", "Requests refused because too many were waiting.", "counter", busy.load());
  add("rondo_requests_abandoned_total", "Requests whose client disconnected.", "counter", abandoned.load());
  add("rondo_searches_total", "Melody searches.", "counter", searches.load());
  add("rondo_searches_incomplete_total", "Searches ended by the time limit.", "counter", incomplete.load());
  return out;
}

}  // namespace rondo::server
