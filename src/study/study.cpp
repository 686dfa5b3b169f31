#include "study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "formats/readers.h"

namespace rondo::study {
namespace {

constexpr std::array<std::string_view, 3> kStates = {"draft", "open", "closed"};

bool is_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), fits) && name != "import";
}

/// A text of several lines, without control characters except line ends.
Result<void> check_text(std::string_view what, std::string_view text) {
  if (text.size() > kLongestText) {
    return fail("study-text", fmt::format("the {} may have {} bytes at most", what, kLongestText));
  }
  const bool fine = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
  if (!fine) return fail("study-text", fmt::format("the {} must not have control characters", what));
  return {};
}

}  // namespace

std::string_view to_string(State state) { return kStates[static_cast<std::size_t>(state)]; }

std::optional<State> state_of(std::string_view word) {
  const auto found = std::find(kStates.begin(), kStates.end(), word);
  if (found == kStates.end()) return std::nullopt;
  return static_cast<State>(found - kStates.begin());
}

Result<MelodyCopy> copy_of(const Piece& piece, std::uint32_t voice) {
  if (voice >= piece.voices.size()) {
    return fail("study-melody", fmt::format("'{}' has no notes to compare", piece.id), {},
                "take it out of the candidates");
  }
  Piece one;
  one.id = piece.id;
  one.metadata = piece.metadata;
  one.format = "jsonl";  // else the writer adds the source text, which is not needed here
  one.voices.push_back(piece.voices[voice]);
  auto line = write_jsonl(one);
  if (!line) return fail(std::move(line.error()));
  while (line->ends_with('\n')) line->pop_back();
  return MelodyCopy{piece.id, std::move(*line)};
}

Result<Piece> piece_of(const MelodyCopy& copy) {
  MemorySource source(copy.json);
  CollectingSink sink;
  ReadOptions options;
  options.file = copy.id;
  options.keep_source = false;
  auto done = read_jsonl(source, options, sink);
  if (!done || sink.pieces.size() != 1 || sink.pieces.front().voices.size() != 1 ||
      sink.pieces.front().voices.front().notes.empty()) {
    return fail("study-melody", fmt::format("the copy of the melody '{}' cannot be read", copy.id));
  }
  return std::move(sink.pieces.front());
}

Result<void> check_line(std::string_view what, std::string_view text) {
  if (text.size() > kLongestLine) {
    return fail("study-text", fmt::format("the {} may have {} bytes at most", what, kLongestLine));
  }
  const bool fine = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
  if (!fine) return fail("study-text", fmt::format("the {} must be one line without control characters", what));
  return {};
}

Result<void> check(const Settings& settings) {
  if (!is_name(settings.name)) {
    return fail("study-name", fmt::format("'{}' cannot be the name of a study", settings.name), {},
                "take lower-case letters, digits and hyphens, 64 at most");
  }
  if (settings.seed > kMostSeed) {
    return fail("study-seed", fmt::format("a seed is a whole number up to {}", kMostSeed));
  }
  auto done = check_line("title", settings.title);
  if (done) done = check_text("instructions", settings.instructions);
  if (done) done = check_text("consent", settings.consent);
  return done;
}

Result<void> check(const Background& background) {
  constexpr double kMostYears = 120;
  if (background.years && !(*background.years >= 0 && *background.years <= kMostYears)) {
    return fail("background-years", fmt::format("years are a number from 0 to {}", kMostYears));
  }
  if (background.instruments.size() > kMostInstruments) {
    return fail("study-text", fmt::format("{} instruments at most", kMostInstruments));
  }
  for (const std::string& instrument : background.instruments) {
    if (auto fine = check_line("name of an instrument", instrument); !fine) return fine;
  }
  return check_text("remarks", background.remarks);
}

Result<void> check(const Ranking& ranking, const Query& query, bool ties) {
  std::unordered_set<std::string_view> known;
  for (const Candidate& candidate : query.candidates) known.insert(candidate.code);
  std::unordered_set<std::string_view> seen;
  for (const std::vector<std::string>& tier : ranking) {
    if (tier.empty()) return fail("ranking-tier", "a place of the ranking is empty");
    if (tier.size() > 1 && !ties) return fail("ranking-ties", "two candidates cannot share a rank in this study");
    for (const std::string& code : tier) {
      if (!known.contains(code)) return fail("ranking-unknown", "the ranking names a candidate that is not there");
      if (!seen.insert(code).second) return fail("ranking-twice", "the ranking names a candidate twice");
    }
  }
  return {};
}

std::size_t ranked_count(const Ranking& ranking) {
  std::size_t count = 0;
  for (const auto& tier : ranking) count += tier.size();
  return count;
}

}  // namespace rondo::study
