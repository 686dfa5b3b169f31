#include "bridge/melody.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "bridge/guard.h"
#include "bridge/memory.h"
#include "features/features.h"
#include "formats/pae.h"
#include "formats/readers.h"
#include "melody/limits.h"
#include "melody/packed.h"
#include "rondo/formats/open.h"

namespace rondo::postgresql {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The only voice of what was read, or the one that was asked for, from 1; 0: there must be only one.
Result<Voice> voice_of(CollectingSink& sink, int number) {
  if (sink.pieces.empty()) {
    if (!sink.skipped.empty()) return fail(std::move(sink.skipped.front()));
    return fail("melody-empty", "there is no melody in it");
  }
  if (sink.pieces.size() > 1) {
    return fail("melody-several", "it has more than one piece", {}, "store each in a separate row");
  }
  std::vector<Voice>& voices = sink.pieces.front().voices;
  if (voices.empty()) return fail("melody-empty", "there is no melody in it");
  if (number == 0 && voices.size() > 1) {
    return fail("melody-several", fmt::format("this has {} voices", voices.size()), {},
                "name one: melody_from(file, voice => 1)");
  }
  if (number < 0 || static_cast<std::size_t>(number) > voices.size()) {
    return fail("voice-missing", fmt::format("there is no voice {}", number), {},
                fmt::format("there are {}, counted from 1", voices.size()));
  }
  return std::move(voices[number == 0 ? 0 : static_cast<std::size_t>(number) - 1]);
}

Result<Voice> read_voice(std::string_view text, int (*recognises)(std::string_view),
                         Result<void> (*reads)(ByteSource&, const ReadOptions&, PieceSink&), bool& mine,
                         Diagnostics& warnings) {
  mine = recognises(text) > 0;
  if (!mine) return Voice();
  MemorySource source(text);
  ReadOptions options;
  options.keep_source = false;
  CollectingSink sink;
  if (auto read = reads(source, options, sink); !read) return fail(std::move(read.error()));
  warnings = std::move(sink.warnings);
  for (Diagnostic& one : warnings) one.place.record.clear();
  auto voice = voice_of(sink, 0);
  if (!voice) {
    // There is no file; records are numbered where there is but one.
    voice.error().place.file.clear();
    voice.error().place.record.clear();
  }
  return voice;
}

Result<Voice> read_notation(std::string_view text, Diagnostics& warnings) {
  Voice voice;
  PaeParser parser;
  PaeFields fields;
  fields.data = text;
  if (auto parsed = parser.parse(fields, {}, voice, warnings); !parsed) return fail(std::move(parsed.error()));
  return voice;
}

Piece piece_of(const Voice& voice) {
  Piece piece;
  piece.format = "jsonl";
  piece.voices.push_back(voice);
  return piece;
}

std::string without_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

Result<Voice> read_melody(std::string_view text, Diagnostics& warnings) {
  text = trimmed(text);
  if (text.empty()) return fail("melody-empty", "an empty text is not a melody", {}, "for instance '4CDEC");
  if (text.size() > limits::kRecordBytes) return fail("record-too-large", "a melody of more than 4 MB");
  bool mine = false;
  auto voice = read_voice(text, recognise_jsonl, read_jsonl, mine, warnings);
  if (!mine) voice = read_voice(text, recognise_pae, read_pae, mine, warnings);
  if (!mine) voice = read_notation(text, warnings);
  // A header is left out on purpose here.
  std::erase_if(warnings, [](const Diagnostic& one) { return one.code == "pae-clef-missing"; });
  return voice;
}

Result<std::string> write_melody(const Voice& voice) {
  if (const std::string line = pae_text(voice); !line.empty()) return line;
  auto json = write_jsonl(piece_of(voice));
  if (!json) return json;
  return without_end(std::move(*json));
}

std::string pae_text(const Voice& voice) {
  const auto text = to_pae(voice);
  if (!text) return {};
  std::string line = to_single_line(*text);
  Diagnostics warnings;
  const auto again = read_melody(line, warnings);
  return again && *again == voice ? line : std::string();
}

Result<std::string> packed(const Voice& voice) {
  std::string out;
  if (auto done = pack(voice, out); !done) return fail(std::move(done.error()));
  return out;
}

Result<Voice> unpacked(RondoBytes bytes) {
  Voice voice;
  if (auto done = unpack(view(bytes), voice); !done) return fail(std::move(done.error()));
  return voice;
}

}  // namespace rondo::postgresql

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

RondoStatus rondo_melody_in(RondoBytes text, RondoBytes* out) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_read(text.size));
    Diagnostics warnings;
    auto voice = read_melody(view(text), warnings);
    if (!voice) return fail(std::move(voice.error()));
    auto bytes = packed(*voice);
    if (!bytes) return fail(std::move(bytes.error()));
    *out = keep(std::move(*bytes));
    remember_warnings(warnings);
    return {};
  });
}

RondoStatus rondo_melody_out(RondoBytes bytes, RondoBytes* text) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_write(bytes.size));
    auto voice = unpacked(bytes);
    if (!voice) return fail(std::move(voice.error()));
    auto line = write_melody(*voice);
    if (!line) return fail(std::move(line.error()));
    *text = keep(std::move(*line));
    return {};
  });
}

RondoStatus rondo_melody_check(RondoBytes bytes) {
  return guarded([&]() -> Result<void> {
    auto voice = unpacked(bytes);
    if (!voice) return fail(std::move(voice.error()));
    // Two melodies are equal when their bytes are, so there must be but one way to write each.
    auto again = packed(*voice);
    if (!again) return fail(std::move(again.error()));
    if (*again != view(bytes)) return fail("packed-damaged", "these bytes are not a packed melody");
    if (!is_utf8(voice->name)) return fail("packed-damaged", "the name of the voice is not UTF-8");
    return {};
  });
}

RondoStatus rondo_melody_from(RondoBytes file, RondoBytes format, int number, RondoBytes* out) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_read(file.size));
    ReadOptions options;
    options.keep_source = false;
    CollectingSink sink;
    const std::string_view name = view(format);
    if (name.empty()) {
      auto read = read_any(std::make_unique<MemorySource>(view(file)), options, sink);
      if (!read) return fail(std::move(read.error()));
    } else {
      const Format* known = find_format(name);
      if (known == nullptr) {
        std::string names;
        for (const Format& one : formats()) names += (names.empty() ? "" : ", ") + std::string(one.name);
        return fail("format-unknown", fmt::format("there is no format '{}'", name), {}, "there are " + names);
      }
      MemorySource source(view(file));
      if (auto read = known->read(source, options, sink); !read) return fail(std::move(read.error()));
    }
    auto voice = voice_of(sink, number);
    if (!voice) return fail(std::move(voice.error()));
    auto bytes = packed(*voice);
    if (!bytes) return fail(std::move(bytes.error()));
    *out = keep(std::move(*bytes));
    remember_warnings(sink.warnings);
    return {};
  });
}

RondoStatus rondo_melody_to(RondoBytes bytes, const char* format, RondoBytes* file) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_write(bytes.size));
    auto voice = unpacked(bytes);
    if (!voice) return fail(std::move(voice.error()));
    const Format* known = find_format(format);
    if (known == nullptr || known->write == nullptr) {
      return fail("format-unknown", fmt::format("'{}' is not written", format));
    }
    auto written = known->write(piece_of(*voice));
    if (!written) return fail(std::move(written.error()));
    *file = keep(known->name == "jsonl" ? without_end(std::move(*written)) : std::move(*written));
    return {};
  });
}

RondoStatus rondo_feature_number(RondoBytes bytes, const char* name, double* value) {
  return guarded([&]() -> Result<void> {
    auto voice = unpacked(bytes);
    if (!voice) return fail(std::move(voice.error()));
    bool found = false;
    each_column(features_of(*voice), [&](std::string_view column, const auto& content) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(content)>>) {
        if (column != name) return;
        *value = static_cast<double>(content);
        found = true;
      }
    });
    if (!found) return fail("feature-unknown", fmt::format("there is no feature '{}'", name));
    return {};
  });
}

RondoStatus rondo_feature_text(RondoBytes bytes, const char* name, RondoBytes* text) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_write(bytes.size));
    auto voice = unpacked(bytes);
    if (!voice) return fail(std::move(voice.error()));
    const Features features = features_of(*voice);
    nlohmann::ordered_json all;
    each_column(features, [&](const char* column, const auto& content) { all[column] = content; });
    all["diatonic"] = features.diatonic;
    all["chromatic"] = features.chromatic;
    if (name == nullptr) {
      *text = keep(all.dump());
      return {};
    }
    // As collections store interval strings, so that a sequence is found as a part of the text.
    const std::string_view wanted = name;
    if (wanted == "diatonic") *text = keep(interval_text(features.diatonic));
    if (wanted == "chromatic") *text = keep(interval_text(features.chromatic));
    if (wanted == "diatonic" || wanted == "chromatic") return {};
    const auto found = all.find(name);
    if (found == all.end()) return fail("feature-unknown", fmt::format("there is no feature '{}'", name));
    *text = keep(found->is_string() ? found->get<std::string>() : found->dump());
    return {};
  });
}
