#include "formats/jsonl/piece.h"

#include <algorithm>
#include <array>

#include "melody/limits.h"

namespace rondo::jsonl {
namespace {

/// The known keys; others that hold a string or a number become free fields.
constexpr auto kKnown = std::to_array<std::string_view>({"id",
                                                         "title",
                                                         "composer",
                                                         "source",
                                                         "library",
                                                         "shelfmark",
                                                         "catalogue",
                                                         "uri",
                                                         "year",
                                                         "fields",
                                                         "format",
                                                         "source_text",
                                                         "voices",
                                                         "voice",
                                                         "notes",
                                                         "spelling",
                                                         "graces",
                                                         "grace_spelling",
                                                         "length",
                                                         "bars",
                                                         "clef",
                                                         "key_signature",
                                                         "key",
                                                         "time",
                                                         "midipitch",
                                                         "onset_tick",
                                                         "duration_quarters",
                                                         "timesignature",
                                                         "phrase"});

bool is_known(std::string_view key) { return std::find(kKnown.begin(), kKnown.end(), key) != kKnown.end(); }

/// A string as it is, a number or boolean as written; empty for others.
std::string scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? value.dump() : std::string();
}

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::string() : scalar(*found);
}

bool has(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && !found->is_null();
}

}  // namespace

void PieceReader::warn(std::string code, std::string message, std::string field, std::string hint) {
  Place place;
  place.field = std::move(field);
  warnings_->push_back({std::move(code), std::move(message), std::move(place), std::move(hint)});
}

Result<Piece> PieceReader::read(const Json& object, Diagnostics& warnings) {
  warnings_ = &warnings;
  if (!object.is_object()) return fail("jsonl-value", "the line is not an object", {}, "one {...} on each line");
  Piece piece;
  piece.format = text(object, "format");
  piece.source_text = options_.keep_source ? text(object, "source_text") : std::string();
  if (piece.format.empty()) piece.format = "jsonl";
  read_metadata(object, piece);
  if (auto done = read_voices(object, piece); !done) return fail(std::move(done.error()));
  return piece;
}

Result<void> PieceReader::read_voices(const Json& object, Piece& piece) {
  std::size_t rounded = 0;
  const auto add = [&piece](Result<Voice> voice) -> Result<void> {
    if (!voice) return fail(std::move(voice.error()));
    piece.voices.push_back(std::move(*voice));
    return {};
  };
  if (has(object, "voices")) {
    const Json& voices = object["voices"];
    if (!voices.is_array()) return fail("jsonl-value", "voices: this is not a list");
    if (voices.size() > limits::kVoicesPerPiece) {
      return fail("too-many-voices", "voices: more than " + std::to_string(limits::kVoicesPerPiece) + " voices");
    }
    for (std::size_t i = 0; i < voices.size(); ++i) {
      const std::string where = "voices[" + std::to_string(i) + "]";
      if (!voices[i].is_object()) return fail("jsonl-value", where + ": this is not an object");
      if (auto done = add(read_voice(voices[i], where + ".", rounded, *warnings_)); !done) return done;
    }
  } else if (has(object, "notes")) {
    if (auto done = add(read_voice(object, "", rounded, *warnings_)); !done) return done;
  } else if (has(object, "midipitch")) {
    if (auto done = add(read_feature_voice(object, rounded, *warnings_)); !done) return done;
  } else if (has(object, "pae")) {
    return read_pae(object, piece);
  } else {
    warn("jsonl-no-notation", "the object has no notes, voices or pae; it is kept without a melody");
  }
  if (rounded > 0) {
    warn("jsonl-time-rounded",
         std::to_string(rounded) + " times were rounded to the nearest fraction with a denominator up to " +
             std::to_string(kSimpleDenominator),
         {}, "write times as fractions: \"1/3\"");
  }
  return {};
}

/// Notation in Plaine & Easie Code: with its header in front, as an object of the same parts, or bare with the header
/// in the keys of this object.
Result<void> PieceReader::read_pae(const Json& object, Piece& piece) {
  const Json& pae = object["pae"];
  const std::string data = pae.is_object() ? text(pae, "data") : scalar(pae);
  if (!pae.is_object() && data.find_first_of("%@$;{") == 0) {
    CollectingSink sink;
    MemorySource source(data);
    ReadOptions options = options_;
    options.keep_source = false;
    if (auto done = find_format("pae")->read(source, options, sink); !done) return done;
    for (Diagnostic& warning : sink.warnings) warnings_->push_back(std::move(warning));
    if (!sink.skipped.empty()) return fail(std::move(sink.skipped.front()));
    if (!sink.pieces.empty()) piece.voices = std::move(sink.pieces.front().voices);
    return {};
  }
  const Json& header = pae.is_object() ? pae : object;
  const std::string clef = text(header, "clef");
  const std::string key_signature = text(header, pae.is_object() ? "keysig" : "key_signature");
  const std::string time_signature = text(header, pae.is_object() ? "timesig" : "time");
  const std::string key = text(header, "key");
  const std::string version = pae.is_object() ? text(pae, "version") : std::string();
  PaeOptions options;
  options.expand_repeats = options_.expand_repeats;
  Voice voice;
  auto done = parser_.parse({clef, key_signature, time_signature, key, data, version}, options, voice, *warnings_);
  if (!done && done.error().code == "pae-no-notation") {
    warnings_->push_back(std::move(done.error()));
    return {};
  }
  if (!done) return fail(std::move(done.error()));
  voice.name = text(object, "voice");
  piece.voices.push_back(std::move(voice));
  return {};
}

void PieceReader::read_metadata(const Json& object, Piece& piece) {
  Metadata& data = piece.metadata;
  data.title = text(object, "title");
  data.composer = text(object, "composer");
  data.source = text(object, "source");
  data.library = text(object, "library");
  data.shelfmark = text(object, "shelfmark");
  data.uri = text(object, "uri");
  data.year = text(object, "year");
  if (const auto found = object.find("catalogue"); found != object.end()) {
    if (found->is_array()) {
      for (const Json& number : *found) data.catalogue.push_back(scalar(number));
    } else if (!found->is_null()) {
      data.catalogue.push_back(scalar(*found));
    }
  }
  if (const auto found = object.find("fields"); found != object.end()) read_free_fields(*found, data);
  for (const auto& [key, value] : object.items()) {
    if (is_known(key) || value.is_null()) continue;
    if (value.is_primitive()) {
      data.fields.emplace_back(key, scalar(value));
    } else if (key != "pae" && ignored_.size() < 100 && ignored_.insert(key).second) {
      warn("jsonl-key-ignored", "the key \"" + key + "\" is not known and holds more than one value; it is left out",
           key);
    }
  }
}

/// [["heading", "Allegro"], ...], or an object, whose values may be lists.
void PieceReader::read_free_fields(const Json& fields, Metadata& metadata) {
  bool all = fields.is_object() || fields.is_array();
  if (fields.is_object()) {
    for (const auto& [key, value] : fields.items()) {
      if (value.is_array()) {
        for (const Json& item : value) metadata.fields.emplace_back(key, scalar(item));
      } else {
        all = all && value.is_primitive();
        metadata.fields.emplace_back(key, scalar(value));
      }
    }
  } else if (fields.is_array()) {
    for (const Json& pair : fields) {
      const bool fine = pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_primitive();
      if (fine) metadata.fields.emplace_back(pair[0].get<std::string>(), scalar(pair[1]));
      all = all && fine;
    }
  }
  if (!all) warn("jsonl-fields-unread", "a part of \"fields\" is not a name with a value and is left out", "fields");
}

}  // namespace rondo::jsonl
