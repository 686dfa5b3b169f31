#include "rondo/query/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "melody/limits.h"
#include "query/draft.h"
#include "query/first_melody.h"
#include "query/plain_text.h"
#include "query/query_file.h"
#include "query/reading_json.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

using query::Draft;
using query::Event;

struct KindRow {
  QueryKind kind;
  std::string_view name;
  std::string_view title;
};
constexpr std::array kKinds = {
    KindRow{QueryKind::pae, "pae", "Plaine & Easie"},
    KindRow{QueryKind::note_names, "note-names", "note names"},
    KindRow{QueryKind::solmization, "solmization", "solmization"},
    KindRow{QueryKind::degrees, "degrees", "scale degrees"},
    KindRow{QueryKind::intervals, "intervals", "intervals"},
    KindRow{QueryKind::contour, "contour", "a contour"},
    KindRow{QueryKind::key_numbers, "key-numbers", "MIDI key numbers"},
    KindRow{QueryKind::abc, "abc", "ABC"},
    KindRow{QueryKind::kern, "kern", "kern"},
    KindRow{QueryKind::document, "document", "a file"},
};

constexpr std::string_view kForms =
    "write notes as C4 D4 Eb4, do re mi, 1 2 3, +2 -1, *UDR, '4CDEC, or a line of ABC or kern";

constexpr std::string_view kFormsOrWords =
    "write notes as C4 D4 Eb4, do re mi, 1 2 3, +2 -1, *UDR, '4CDEC, or a line of ABC or kern; words of a title or a "
    "composer are searched for as text";

/// A word of five letters or more is none of music: somebody looks for a title.
bool has_long_word(std::string_view text) {
  std::size_t run = 0;
  return std::any_of(text.begin(), text.end(), [&](char c) {
    const bool letter = query::is_letter(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
    run = letter ? run + 1 : 0;
    return run >= 5;
  });
}

using Reader = Result<Draft> (*)(std::string_view);
struct NamedReader {
  std::string_view prefix;
  Reader read;
};
constexpr std::array kPrefixes = {
    NamedReader{"pae:", query::read_pae_text},         NamedReader{"notes:", query::read_note_words},
    NamedReader{"letters:", query::read_note_letters}, NamedReader{"solfa:", query::read_solmization},
    NamedReader{"degrees:", query::read_degrees},      NamedReader{"intervals:", query::read_intervals},
    NamedReader{"contour:", query::read_parsons},      NamedReader{"keys:", query::read_key_numbers},
    NamedReader{"abc:", query::read_abc_fragment},     NamedReader{"kern:", query::read_kern_fragment},
    NamedReader{"lilypond:", query::read_lilypond},
};

/// ABC or Plaine & Easie, for what no simpler way of writing fits.
Result<Draft> read_notation(std::string_view text) {
  const int abc = query::abc_rather_than_pae(text);
  if (abc > 0) {
    if (auto draft = query::read_abc_fragment(text)) return draft;
  }
  auto pae = query::read_pae_text(text);
  if (!pae) {
    if (abc < 0 || pae.error().code == "query-empty") return pae;
    return query::not_this(pae.error().place.column > 0 ? pae.error().place.column - 1 : 0);
  }
  const auto unknown = std::find_if(pae->warnings.begin(), pae->warnings.end(),
                                    [](const Diagnostic& warning) { return warning.code == "pae-unknown-sign"; });
  // Signs of the code beside small letters are what words look like: "dude", "tune".
  const bool capitals = std::any_of(text.begin(), text.end(), query::is_upper);
  const std::size_t sign = text.find_first_of("inpqrtuxy");
  if (abc >= 0 && !capitals && sign != std::string_view::npos) return query::not_this(sign);
  if (abc >= 0 && unknown != pae->warnings.end()) {
    return query::not_this(unknown->place.column > 0 ? unknown->place.column - 1 : 0);
  }
  if (abc == 0 && text.find_first_of("0123456789") != std::string_view::npos) {
    pae->warnings.push_back(query::guess("query-guess", "numbers were read as the values of the notes behind them",
                                         "for ABC, where they belong to the note before, begin with abc:"));
  }
  return pae;
}

/// Of what was read behind `skipped` bytes, the places in the whole.
Result<Draft> moved_by(std::uint32_t skipped, Result<Draft> draft) {
  const auto move = [&](Place& place) {
    if (place.column > 0 && place.line <= 1) place.column += skipped;
  };
  if (!draft) {
    move(draft.error().place);
    return draft;
  }
  for (Diagnostic& warning : draft->warnings) move(warning.place);
  return draft;
}

/// Fields of ABC in one line, read in lines of their own.
Result<Draft> read_abc_line(const std::string& lines) {
  auto draft = query::read_abc_fragment(lines);
  const auto in_one_line = [&](Place& place) {
    std::size_t begin = 0;
    for (; place.line > 1; --place.line) begin = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    if (place.column > 0) place.column += static_cast<std::uint32_t>(begin);
  };
  if (!draft) {
    in_one_line(draft.error().place);
    return draft;
  }
  for (Diagnostic& warning : draft->warnings) in_one_line(warning.place);
  return draft;
}

Result<Draft> draft_of(std::string_view text) {
  // Quotation marks around all of it were copied along.
  if (text.size() > 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1) {
    std::string_view inner = text.substr(1, text.size() - 2);
    while (!inner.empty() && query::is_blank(inner.back())) inner.remove_suffix(1);
    while (!inner.empty() && query::is_blank(inner.front())) inner.remove_prefix(1);
    if (!inner.empty()) return moved_by(static_cast<std::uint32_t>(inner.data() - text.data()), draft_of(inner));
  }
  const std::string_view first_word = text.substr(0, text.find(' '));
  for (const NamedReader& one : kPrefixes) {
    if (!first_word.starts_with(one.prefix)) continue;
    std::string_view rest = text.substr(one.prefix.size());
    while (!rest.empty() && query::is_blank(rest.front())) rest.remove_prefix(1);
    auto draft = moved_by(static_cast<std::uint32_t>(text.size() - rest.size()),
                          rest.empty() ? query::not_this(0, "there is nothing after it") : one.read(rest));
    if (!draft) return draft;
    draft->because = fmt::format("it begins with {}", one.prefix);
    // What was asked for is no guess.
    std::erase_if(draft->warnings, [](const Diagnostic& warning) { return warning.code == "query-guess"; });
    return draft;
  }
  if (const auto lines = query::abc_in_lines(text)) return read_abc_line(*lines);
  if (text.starts_with('\\') || text.starts_with('{')) {
    auto lilypond = query::read_lilypond(text);
    if (lilypond || text.starts_with('\\')) return lilypond;
  }
  const Format* format = recognise(text);
  // A line of ABC that brings its key along is still a line.
  if (format != nullptr && format->name == "abc" && !text.starts_with("X:") &&
      text.find("\nX:") == std::string_view::npos) {
    return query::read_abc_fragment(text);
  }
  if (format != nullptr && format->name != "pae") return query::read_document(text);
  if (format != nullptr) return query::read_pae_text(text);
  if (looks_like_path(text)) {
    return fail("query-path", fmt::format("there is no file '{}'", text), {}, "check its name; " + std::string(kForms));
  }
  std::optional<Error> furthest;
  for (const Reader read : {query::read_contour, query::read_note_words, query::read_note_letters,
                            query::read_solmization, query::read_numbers, query::read_kern_fragment}) {
    auto draft = read(text);
    if (draft) return draft;
    if (!furthest || draft.error().place.column > furthest->place.column) furthest = std::move(draft.error());
  }
  auto notation = read_notation(text);
  // What came furthest was meant, and knows best what is wrong.
  const bool unread = !notation && notation.error().code == "query-unread";
  if (unread && furthest && furthest->place.column > std::max(notation.error().place.column, 1U)) {
    return fail(std::move(*furthest));
  }
  return notation;
}

/// Where a note of this letter lies that comes after one at `last`, in steps of the staff. A third at most is taken as
/// it is. Between a fourth and a fifth in the other direction decides what is nearer to the middle of the range so far;
/// at the beginning it is the one upwards, as most tunes go.
int place_after(int last, int step, int lowest, int highest) {
  const int up = ((step - last) % 7 + 7) % 7;
  if (up <= 2) return last + up;
  if (up >= 5) return last + up - 7;
  if (lowest == highest) return last + up;
  const int above = std::abs(2 * (last + up) - lowest - highest);
  const int below = std::abs(2 * (last + up - 7) - lowest - highest);
  if (above == below) return up == 3 ? last + up : last + up - 7;
  return above < below ? last + up : last + up - 7;
}

/// Of notes without octaves each is laid near the one before.
void settle_octaves(Draft& draft) {
  std::optional<int> last;
  int lowest = 0;
  int highest = 0;
  bool guessed = false;
  bool given = false;
  for (Event& event : draft.events) {
    if (event.kind != Event::Kind::note) continue;
    given = given || event.octave;
    if (!event.octave) {
      event.octave = last ? (place_after(*last, event.step, lowest, highest) - event.step) / 7 : 4;
      guessed = guessed || event.octave != 4;
    }
    const int place = 7 * *event.octave + event.step;
    lowest = last ? std::min(lowest, place) : place;
    highest = last ? std::max(highest, place) : place;
    last = place;
  }
  if (guessed) {
    draft.warnings.push_back({"query-octaves",
                              given ? "where no octave was given, it was chosen so that the melody moves in small steps"
                                    : "no octaves were given; they were chosen so that the melody moves in small steps",
                              {},
                              "write octaves as C4 B4 C5"});
  }
}

Result<Voice> voice_of(const Draft& draft) {
  constexpr int kLowest = -1;
  constexpr int kHighest = 10;
  VoiceBuilder builder;
  Fraction now;
  bool bars = false;
  for (const Event& event : draft.events) {
    switch (event.kind) {
      case Event::Kind::note: {
        if (*event.octave < kLowest || *event.octave > kHighest) {
          return fail("query-range", "the notes are outside the range of all octaves", {}, "octaves go from 0 to 9");
        }
        const Pitch pitch{static_cast<std::int8_t>(event.step), static_cast<std::int8_t>(event.alter),
                          static_cast<std::int8_t>(*event.octave)};
        builder.note(now, event.length, pitch);
        now = now + event.length;
        break;
      }
      case Event::Kind::rest:
        now = now + event.length;
        builder.lasts_until(now);
        break;
      case Event::Kind::bar:
        if (!bars) builder.bar(Fraction());
        bars = true;
        if (now > Fraction()) builder.bar(now);
        break;
      case Event::Kind::unknown_note:
      case Event::Kind::unknown_stretch: break;
    }
  }
  return builder.finish();
}

std::size_t count(const Draft& draft, Event::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(draft.events.begin(), draft.events.end(), [&](const Event& event) { return event.kind == kind; }));
}

/// Where the unknown notes of the events stand. In a contour and among intervals the signs stand for steps, of which
/// there is one more than notes between two notes, and what lies on both sides of them is not compared.
std::vector<UnknownNotes> unknown_in(const Draft& draft) {
  std::vector<UnknownNotes> out;
  std::uint32_t notes = 0;
  for (const Event& event : draft.events) {
    if (event.kind == Event::Kind::note) ++notes;
    const bool stretch = event.kind == Event::Kind::unknown_stretch;
    if (!stretch && event.kind != Event::Kind::unknown_note) continue;
    if (out.empty() || out.back().before != notes) out.push_back({.before = notes});
    out.back().notes += stretch ? 0 : 1;
    out.back().more = out.back().more || stretch;
  }
  if (draft.kind != QueryKind::contour && draft.kind != QueryKind::intervals) return out;
  for (UnknownNotes& one : out) {
    one.joined = false;
    if (one.before > 0 && one.before < notes && one.notes > 0) --one.notes;
  }
  return out;
}

Result<QueryReading> reading_of(Draft draft, std::string_view source) {
  QueryReading out;
  const std::size_t signs = count(draft, Event::Kind::unknown_note) + count(draft, Event::Kind::unknown_stretch);
  if (signs > query::kMostUnknown) {
    return fail("query-wildcards", "there are more than 64 signs for unknown notes", {}, "leave some of them out");
  }
  out.unknown = draft.piece ? std::move(draft.unknown) : unknown_in(draft);
  if (draft.piece) {
    out.piece = std::move(*draft.piece);
  } else {
    settle_octaves(draft);
    auto voice = voice_of(draft);
    if (!voice) return fail(std::move(voice.error()));
    out.piece.id = "query";
    out.piece.format = "pae";  // what it can be written as
    out.piece.source_text = std::string(source);
    out.piece.voices.push_back(std::move(*voice));
  }
  out.kind = draft.kind;
  out.because = std::move(draft.because);
  out.rhythm = draft.rhythm;
  out.unknown_notes = count(draft, Event::Kind::unknown_note);
  out.unknown_stretches = count(draft, Event::Kind::unknown_stretch);
  out.warnings = std::move(draft.warnings);
  const auto& voices = out.piece.voices;
  const auto first =
      std::find_if(voices.begin(), voices.end(), [](const Voice& voice) { return !voice.notes.empty(); });
  out.voice_number = draft.voice.value_or(static_cast<std::size_t>(first - voices.begin()));
  if (first == voices.end()) {
    return fail("query-empty", "there are no notes in it", {}, "add notes, for instance C4 D4 E4");
  }
  return out;
}

}  // namespace

std::string_view to_string(QueryKind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }
std::string_view title_of(QueryKind kind) { return kKinds[static_cast<std::size_t>(kind)].title; }

Result<QueryReading> read_query_text(std::string_view text) {
  if (text.size() > limits::kRecordBytes) return fail("too-large", "a query of more than 4 MB");
  if (!is_utf8(text)) return fail("query-unread", "the text is not UTF-8", {}, std::string(kForms));
  const query::PlainText plain(text);
  if (plain.text().empty()) return fail("query-empty", "there are no notes in it", {}, std::string(kForms));
  auto draft = draft_of(plain.text());
  if (!draft) {
    Error error = std::move(draft.error());
    plain.locate(error.place);
    if (error.code == "query-unread" && error.message == "cannot be read") {
      error.message = fmt::format("'{}' cannot be read as notes", plain.word_at(error.place.column));
      error.place.column = plain.word_start(error.place.column);
    }
    if (error.hint.empty()) error.hint = has_long_word(plain.text()) ? kFormsOrWords : kForms;
    return fail(std::move(error));
  }
  auto reading = reading_of(std::move(*draft), text);
  if (!reading) return reading;
  for (Diagnostic& warning : reading->warnings) plain.locate(warning.place);
  return reading;
}

Result<QueryReading> read_query_path(const std::string& path) {
  query::FirstMelody first;
  if (auto done = open_path(path, first); !done) return fail(std::move(done.error()));
  auto draft = first.outcome();
  if (draft) return reading_of(std::move(*draft), {});
  if (draft.error().code != "format-unknown") return fail(std::move(draft.error()));
  query::WholeText whole;
  (void)open_path(path, whole);
  auto typed = whole.text ? read_query_text(*whole.text) : Result<QueryReading>(fail(draft.error()));
  return typed ? std::move(typed) : fail(std::move(draft.error()));
}

Result<QueryReading> read_query_bytes(std::string_view bytes) {
  auto file = read_query_file(bytes, 0);
  if (!file) return fail(std::move(file.error()));
  return std::move(file->reading);
}

Result<QueryFile> read_query_file(std::string_view bytes, std::size_t piece) {
  if (std::all_of(bytes.begin(), bytes.end(), query::is_blank)) return fail("query-empty", "the file is empty");
  query::FirstMelody chosen(nullptr, piece);
  OpenLimits limits;
  limits.total_bytes = std::uint64_t{64} << 20U;
  open_bytes("upload", std::make_unique<MemorySource>(bytes), chosen, limits);
  auto draft = chosen.outcome();
  Result<QueryReading> reading = fail("format-unknown", "");
  if (draft) {
    reading = reading_of(std::move(*draft), {});
  } else if (draft.error().code == "format-unknown") {
    // Notes in a file of their own are no format that can be recognised, but are meant as a query.
    reading = read_query_text(bytes);
  }
  if (draft && !reading) return fail(std::move(reading.error()));
  if (!reading) {
    draft.error().place.file.clear();
    return fail(std::move(draft.error()));
  }
  QueryFile out{std::move(*reading), chosen.pieces(), chosen.more()};
  if (out.pieces.empty()) out.pieces.emplace_back();
  return out;
}

std::string describe(const QueryReading& reading) {
  constexpr std::size_t kShown = 16;
  std::string notes;
  const auto add = [&](const std::string& word) { notes += (notes.empty() ? "" : " ") + word; };
  const auto& all = reading.voice().notes;
  auto unknown = reading.unknown.begin();
  for (std::size_t i = 0; i <= std::min(all.size(), kShown); ++i) {
    if (unknown != reading.unknown.end() && unknown->before == i) {
      for (std::uint32_t n = 0; n < unknown->notes; ++n) add("?");
      if (unknown->more) add("...");
      ++unknown;
    }
    if (i < std::min(all.size(), kShown)) add(all[i].pitch.to_string());
  }
  if (all.size() > kShown) notes += fmt::format(" ... ({} notes)", all.size());
  const std::string what = reading.kind == QueryKind::contour ? "" : ": " + notes;
  return fmt::format("read as {} because {}{}", title_of(reading.kind), reading.because, what);
}

nlohmann::ordered_json reading_json(const QueryReading& reading) {
  nlohmann::ordered_json unknown = nlohmann::ordered_json::array();
  for (const UnknownNotes& one : reading.unknown) {
    unknown.push_back({{"before", one.before}, {"notes", one.notes}, {"more", one.more}});
  }
  return {{"kind", to_string(reading.kind)},
          {"title", title_of(reading.kind)},
          {"because", reading.because},
          {"rhythm", reading.rhythm},
          {"pitches", reading.kind != QueryKind::contour},
          {"unknown_notes", reading.unknown_notes},
          {"unknown_stretches", reading.unknown_stretches},
          {"unknown", std::move(unknown)}};
}

}  // namespace rondo
