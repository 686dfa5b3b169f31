#include "query/first_melody.h"

#include <fmt/format.h>

#include <algorithm>

#include "melody/find_melody.h"
#include "query/query_file.h"

namespace rondo::query {
namespace {

constexpr std::size_t kMostWarnings = 20;

bool has_notes(const Voice& voice) { return !voice.notes.empty(); }

}  // namespace

bool FirstMelody::piece(Piece&& piece) {
  if (std::none_of(piece.voices.begin(), piece.voices.end(), has_notes)) return true;
  if (pieces_.size() == QueryFile::kMostPieces) {
    more_ = true;
    return false;
  }
  pieces_.push_back(piece.metadata.title.empty() ? piece.id : piece.metadata.title);
  if (pieces_.size() <= wanted_) warnings_.clear();  // they are not of the piece that is wanted
  if (pieces_.size() == wanted_ + 1) found_ = std::move(piece);
  return true;
}

void FirstMelody::warn(Diagnostic warning) {
  if (!found_ && warnings_.size() < kMostWarnings) warnings_.push_back(std::move(warning));
}

bool FirstMelody::skip(Diagnostic why) {
  if (!failure_) failure_ = std::move(why);
  return true;
}

bool FirstMelody::file(const std::string& name, std::unique_ptr<ByteSource> source) {
  ReadOptions options;
  options.file = name;
  Result<void> done;
  if (format_ != nullptr) {
    done = format_->read(*source, options, *this);
  } else if (auto read = read_any(std::move(source), options, *this); !read) {
    done = fail(std::move(read.error()));
  }
  if (!done && !failure_) failure_ = std::move(done.error());
  return !more_;
}

Result<Draft> FirstMelody::outcome() {
  if (!found_) {
    if (!pieces_.empty()) {
      return fail("piece-missing",
                  fmt::format("there is no piece {}; there are {}, counted from 0", wanted_, pieces_.size()));
    }
    if (failure_) return fail(std::move(*failure_));
    return fail("query-empty", "there is no melody in it", {}, "give notes, for instance C4 D4 E4 C4");
  }
  Draft draft{.kind = QueryKind::document, .rhythm = true};
  draft.warnings = std::move(warnings_);
  const Format* format = find_format(found_->format);
  draft.because = fmt::format("its content is {}", format != nullptr ? format->title : found_->format);
  if (pieces_.size() > 1 && wanted_ == 0) {
    draft.warnings.push_back({"query-first-melody",
                              fmt::format("there are {}{} melodies; the first is taken: {}", more_ ? "more than " : "",
                                          pieces_.size(), pieces_.front()),
                              {},
                              "for all of them use 'rondo run'"});
  }
  const auto& voices = found_->voices;
  const auto sounding = std::count_if(voices.begin(), voices.end(), has_notes);
  const auto melody = find_melody(voices);
  if (melody) draft.voice = melody->voice;
  if (melody && sounding > 1) {
    const std::string& name = voices[melody->voice].name;
    draft.warnings.push_back(
        {"query-voice",
         fmt::format("the piece has {} voices with notes; voice {}{} is taken, by its {}", sounding, melody->voice + 1,
                     name.empty() ? "" : fmt::format(" ({})", name),
                     melody->reason == MelodyChoice::Reason::name ? "name" : "place above the others"),
         {},
         {}});
  }
  draft.piece = std::move(*found_);
  return draft;
}

Result<Draft> read_as(std::string_view format, std::string_view text, QueryKind kind) {
  FirstMelody first(find_format(format));
  first.file("query", std::make_unique<MemorySource>(text));
  auto draft = first.outcome();
  if (draft) draft->kind = kind;
  return draft;
}

Result<Draft> read_document(std::string_view text) {
  FirstMelody first;
  first.file("query", std::make_unique<MemorySource>(text));
  return first.outcome();
}

}  // namespace rondo::query
