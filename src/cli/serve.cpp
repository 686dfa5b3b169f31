#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "search/card/device.h"
#include "server/server.h"

namespace rondo::cli {
namespace {

struct ServeArguments {
  server::AppOptions app;
  server::ServerOptions server;
  std::string db;
  std::vector<std::string> hosts;
  double seconds = 5;
  std::string device{kDeviceNames[0]};
  bool log = false;
};

bool is_loopback(std::string_view host) { return host.starts_with("127.") || host == "::1" || host == "localhost"; }

/// As a browser wants it.
std::string address(const std::string& host, std::uint16_t port) {
  const bool any = host == "0.0.0.0" || host == "::";
  const bool six = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", any ? "localhost" : six ? "[" + host + "]" : host, port);
}

int run(ServeArguments& options) {
  options.app.collection = options.db;
  options.app.version = RONDO_VERSION;
  options.app.search_time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000));
  if (is_loopback(options.server.host)) {
    options.app.hosts = {"localhost", "127.0.0.1", "[::1]", options.server.host};
    options.app.hosts.insert(options.app.hosts.end(), options.hosts.begin(), options.hosts.end());
  } else {
    options.app.hosts = options.hosts;
  }
  options.app.notice = [](std::string_view line) { print_to(stderr, "rondo: {}\n", line); };
  if (options.log) {
    options.server.log = [](std::string_view line) { print_to(stderr, "{}\n", line); };
  }
  auto card = card_for(device_of(options.device).value_or(Device::cpu));
  if (!card) return report(card.error());
  if (*card) {
    print_to(stderr, "rondo: searching on {}\n", gpu::name_of(**card));
    // Threads wait for the card, which answers many requests together: there are to be many.
    constexpr unsigned kOnCard = 128;
    if (options.server.threads == 0) options.server.threads = kOnCard;
    // All systems can be searched with, and the CPU takes over if the card fails.
    options.app.device = Device::automatic;
  }
  const std::string name = shown_name(options.db);
  print_to(stderr, "rondo: opening {}\n", name);
  auto app = server::App::open(options.app);
  if (!app) return report(app.error());
  auto server = server::Server::open(**app, options.server);
  if (!server) return report(server.error());
  print_to(stdout, "Rondo serves {} at {}\n", name, address(options.server.host, server->port()));
  std::fflush(stdout);
  if (!is_loopback(options.server.host)) {
    print_to(stderr,
             "Everybody who can reach this machine may {}; docs/security.md explains how to run a public server.\n",
             options.app.studies_only ? "take part in studies" : "search the collection");
  }
  print_to(stderr, "Press Ctrl-C to stop it.\n");
  if (auto done = server->run(); !done) return report(done.error());
  // A request that does not end when it is told to must not keep the program: what was acknowledged is on disk.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    print_to(stderr, "rondo: stopped; a request in progress was aborted\n");
    std::_Exit(kSuccess);
  }).detach();
  { const auto joined = std::move(*server); }
  // It has stopped: a second signal (timeout(1) sends two) must not change the exit code.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  print_to(stderr, "rondo: stopped\n");
  return kSuccess;
}

}  // namespace

Action define_serve(CLI::App& app) {
  auto options = std::make_shared<ServeArguments>();
  add_db(app, options->db);
  app.add_option("--port", options->server.port, "port to listen on; 0: any free port")->capture_default_str();
  app.add_option("--host", options->server.host, "address to listen on; 0.0.0.0 or :: accepts other machines")
      ->capture_default_str();
  app.add_option("--threads", options->server.threads, "how many searches run at once; 0: one per core")
      ->check(whole(0, kMostThreads))
      ->capture_default_str();
  app.add_option("--time-limit", options->seconds,
                 "maximum time of a search in seconds; then it returns the hits found so far")
      ->check(within(0.01, 3600))
      ->capture_default_str();
  add_device(app, options->device);
  app.add_option("--cors", options->app.cors,
                 "an origin whose pages may read the responses, such as https://example.org");
  app.add_option("--allow-host", options->hosts, "another host name to accept, for example behind a proxy");
  app.add_option("--connections", options->server.limits.connections, "maximum number of connections at a time")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_flag("--studies-only", options->app.studies_only,
               "only the researcher may search; everybody else may only take part in studies");
  app.add_flag("--behind-proxy", options->app.behind_proxy,
               "trust X-Forwarded-Proto and X-Forwarded-For: a proxy in front of this server sets them");
  app.add_flag("--log", options->log, "write an access log to standard error, one line per request");
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
