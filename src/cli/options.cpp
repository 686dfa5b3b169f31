#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "cli/print.h"
#include "rondo/formats/open.h"
#include "search/card/device.h"

namespace rondo::cli {
void add_db(CLI::App& app, std::string& db) {
  app.add_option("--db", db, "the collection: a file, or postgresql://HOST/DATABASE")->required();
}

void add_where(CLI::App& app, std::string& where) {
  app.add_option("--where", where,
                 "only melodies for which this SQL condition over the view 'melodies' holds; see docs/filter.md");
}

void add_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "where melodies are compared with the system rondo: cpu, cuda (a graphics card), or auto (a graphics "
                 "card if one works); all other systems run on the CPU")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kDeviceNames), std::end(kDeviceNames))))
      ->capture_default_str();
}

CLI::Validator within(double low, double high) {
  CLI::Validator range = CLI::Range(low, high);
  range.operation([low, high](std::string& text) {
    double value = 0;
    const bool fine = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return fine ? std::string() : fmt::format("'{}' is not a number from {} to {}", text, low, high);
  });
  return range;
}

CLI::Validator whole(std::uint64_t low, std::uint64_t high) {
  CLI::Validator range = CLI::Range(static_cast<double>(low), static_cast<double>(high));
  range.description(fmt::format("whole number from {} to {}", low, high));
  range.operation([low, high](std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    const bool fine = problem == std::errc{} && stop == end && value >= low && value <= high;
    return fine ? std::string() : fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  });
  return range;
}

Result<QueryReading> read_query(const std::string& text) {
  std::error_code ignored;
  const bool file = text == "-" || std::filesystem::exists(text, ignored);
  auto reading = file ? read_query_path(text) : read_query_text(text);
  if (!reading) return reading;
  print_to(stderr, "rondo: query {}\n", describe(*reading));
  Diagnostics warnings = reading->warnings;
  for (Diagnostic& warning : warnings) warning.message = "query: " + warning.message;
  print_remarks(warnings);
  return reading;
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const Place place{path, {}, {}, 0, 0};
  if (!in) return fail("file-unreadable", std::string("cannot be read: ") + std::strerror(errno), place);
  // By read(), which never throws; the iterators of the buffer do, for a folder say.
  std::string text;
  char piece[1U << 16U];
  while (in.read(piece, sizeof piece) || in.gcount() > 0) text.append(piece, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return fail("file-unreadable", "cannot be read completely", place);
  return text;
}

namespace {

/// Takes the text of the one file in a gzip.
class TextOfFile final : public FileVisitor {
 public:
  bool file(const std::string& /*name*/, std::unique_ptr<ByteSource> source) override {
    std::string piece(std::size_t{1} << 16U, '\0');
    std::string text;
    for (;;) {
      auto count = source->read(std::span<char>(piece));
      if (!count) {
        outcome = fail(std::move(count.error()));
        return false;
      }
      if (*count == 0) break;
      text.append(piece, 0, *count);
    }
    outcome = std::move(text);
    return false;
  }
  bool problem(Diagnostic why) override {
    outcome = fail(std::move(why));
    return false;
  }
  Result<std::string> outcome;
};

}  // namespace

Result<std::string> read_unpacked(const std::string& path) {
  auto text = read_file(path);
  if (!text || !text->starts_with("\x1F\x8B")) return text;
  TextOfFile visitor;
  open_bytes(path, std::make_unique<MemorySource>(*text), visitor);
  return std::move(visitor.outcome);
}

Result<evaluation::Truth> load_truth(const std::string& path, bool qrels, Diagnostics* remarks) {
  auto text = read_unpacked(path);
  if (!text) return fail(text.error());
  MemorySource source(*text);
  Diagnostics warnings;
  evaluation::TruthOptions options;
  options.file = path;
  options.lines = qrels ? evaluation::TruthForm::kQrels : evaluation::TruthForm::kGroups;
  auto truth = evaluation::read_truth(source, options, warnings);
  print_remarks(warnings);
  if (remarks != nullptr) remarks->insert(remarks->end(), warnings.begin(), warnings.end());
  return truth;
}

void print_remarks(const Diagnostics& remarks) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(kMost, remarks.size()); ++i)
    print_to(stderr, "rondo: {}\n", remarks[i].to_string());
  if (remarks.size() > kMost) print_to(stderr, "rondo: and {} more warnings\n", remarks.size() - kMost);
}

}  // namespace rondo::cli
