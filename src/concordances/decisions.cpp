#include "concordances/decisions.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/collection_files.h"
#include "base/file_descriptor.h"
#include "base/json.h"
#include "base/streams.h"
#include "base/utf8.h"

namespace rondo::concordances {
namespace {

constexpr std::size_t kSumDigits = 16;

Error file_error(const std::filesystem::path& path, std::string_view doing) {
  const int reason = errno;
  return Error{reason == ENOSPC || reason == EDQUOT ? "disk-full" : "write-failed",
               fmt::format("cannot be {}: {}", doing, std::generic_category().message(reason)),
               Place{path.string(), {}, {}, 0, 0},
               {}};
}

std::string checksum_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

std::optional<std::string> read_all(int file) {
  std::string out;
  char buffer[65536];
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file, buffer, sizeof buffer, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return out;
    out.append(buffer, static_cast<std::size_t>(got));
    at += got;
  }
}

bool read_name(const nlohmann::json& from, MelodyName& out) {
  if (!from.is_array() || from.size() != 2 || !from[0].is_string() || !from[1].is_number_unsigned()) return false;
  const auto voice = from[1].get<std::uint64_t>();
  if (voice > 0xffffffffU) return false;
  out = {from[0].get<std::string>(), static_cast<std::uint32_t>(voice)};
  return true;
}

std::optional<Decision> read_line(std::string_view line) {
  if (line.size() < kSumDigits + 1 || line[kSumDigits] != ' ') return std::nullopt;
  const std::string_view text = line.substr(kSumDigits + 1);
  if (line.substr(0, kSumDigits) != checksum_of(text)) return std::nullopt;
  const auto json = json_or_null(text);
  if (!json.is_object()) return std::nullopt;
  const auto member = [&](const char* name) {
    const auto found = json.find(name);
    return found == json.end() ? nlohmann::json() : *found;
  };
  Decision out;
  const auto verdict = member("verdict");
  const auto note = member("note");
  const auto at = member("at");
  if (!read_name(member("a"), out.a) || !read_name(member("b"), out.b) || !(out.a < out.b)) return std::nullopt;
  if (!verdict.is_string() || !note.is_string() || !at.is_string()) return std::nullopt;
  const auto known = verdict_of(verdict.get<std::string>());
  if (!known) return std::nullopt;
  out.verdict = *known;
  out.note = note.get<std::string>();
  out.at = at.get<std::string>();
  return out;
}

Result<Decision> checked(Decision decision) {
  if (decision.b < decision.a) std::swap(decision.a, decision.b);
  if (decision.a == decision.b) return fail("decision-melodies", "a decision is about two different melodies");
  if (decision.note.size() > Decisions::kLongestNote || !is_utf8(decision.note)) {
    return fail("decision-note", fmt::format("a note has at most {} bytes", Decisions::kLongestNote));
  }
  if (!is_utf8(decision.a.id) || !is_utf8(decision.b.id)) return fail("decision-melodies", "an id is not UTF-8");
  if (decision.at.empty()) {
    decision.at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                              fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  }
  return decision;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::accepted: return "accepted";
    case Verdict::rejected: return "rejected";
    case Verdict::open: break;
  }
  return "open";
}

Result<Verdict> verdict_of(std::string_view text) {
  for (const Verdict one : {Verdict::open, Verdict::accepted, Verdict::rejected}) {
    if (text == to_string(one)) return one;
  }
  return fail("decision-unknown", fmt::format("'{}' is no decision", text), {},
              "a decision is accepted, rejected or open");
}

std::string decision_line(const Decision& decision) {
  const nlohmann::ordered_json json = {{"a", {decision.a.id, decision.a.voice}},
                                       {"b", {decision.b.id, decision.b.voice}},
                                       {"verdict", to_string(decision.verdict)},
                                       {"note", decision.note},
                                       {"at", decision.at}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return checksum_of(text) + " " + text + "\n";
}

std::filesystem::path Decisions::path_for(const std::filesystem::path& collection) {
  return companion_of(collection, Companion::decisions);
}

Result<Decisions> Decisions::parse(std::string_view text, const std::filesystem::path& path) {
  Decisions out;
  out.path_ = path;
  std::size_t number = 0;
  for (;;) {
    const std::size_t end = text.find('\n', out.bytes_);
    if (end == std::string_view::npos) return out;
    ++number;
    auto decision = read_line(text.substr(out.bytes_, end - out.bytes_));
    if (!decision) {
      return fail("decisions-damaged", "is damaged",
                  Place{path.string(), {}, {}, static_cast<std::uint32_t>(number), 0},
                  "restore the file from a backup, or remove the line to go on without it");
    }
    auto key = std::pair(decision->a, decision->b);
    out.by_pair_.insert_or_assign(std::move(key), std::move(*decision));
    out.bytes_ = end + 1;
  }
}

Result<Decisions> Decisions::open(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would block
  if (!file.ok() && errno == ENOENT) return parse({}, path);
  const auto text = !file.ok() ? std::nullopt : read_all(file.number());
  if (!text) {
    return fail("decisions-unreadable", "cannot be read: " + std::generic_category().message(errno),
                Place{path.string(), {}, {}, 0, 0});
  }
  return parse(*text, path);
}

Result<void> Decisions::decide(Decision decision) {
  auto fine = checked(std::move(decision));
  if (!fine) return fail(fine.error());
  const FileDescriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.ok() || ::flock(file.number(), LOCK_EX) != 0) return fail(file_error(path_, "opened"));
  const auto text = read_all(file.number());
  if (!text) return fail(file_error(path_, "read"));
  auto now = parse(*text, path_);
  if (!now) return fail(now.error());
  const std::string line = decision_line(*fine);
  const auto end = static_cast<off_t>(now->bytes_);
  // The line ends only when all of it is on the disk: after a crash any part of it may be missing, and a line without
  // an end is none.
  const std::string_view unended = std::string_view(line).substr(0, line.size() - 1);
  const bool written = ::ftruncate(file.number(), end) == 0 && write_all(file.number(), unended, end) &&
                       ::fsync(file.number()) == 0 &&
                       write_all(file.number(), "\n", end + static_cast<off_t>(unended.size())) &&
                       ::fsync(file.number()) == 0 && (end != 0 || sync_folder_of(path_));
  if (!written) {
    const Error error = file_error(path_, "written");
    // Half a line is none; that it cannot be cut off either makes no difference to the next reader.
    if (::ftruncate(file.number(), end) != 0) return fail(error);
    return fail(error);
  }
  now->bytes_ += line.size();
  auto key = std::pair(fine->a, fine->b);
  now->by_pair_.insert_or_assign(std::move(key), std::move(*fine));
  *this = std::move(*now);
  return {};
}

const Decision* Decisions::find(const MelodyName& one, const MelodyName& other) const {
  const auto found = by_pair_.find(one < other ? std::pair(one, other) : std::pair(other, one));
  return found == by_pair_.end() || found->second.verdict == Verdict::open ? nullptr : &found->second;
}

std::vector<Decision> Decisions::all() const {
  std::vector<Decision> out;
  for (const auto& [unused, decision] : by_pair_) {
    if (decision.verdict != Verdict::open) out.push_back(decision);
  }
  return out;
}

}  // namespace rondo::concordances
