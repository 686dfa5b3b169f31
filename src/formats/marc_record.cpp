#include "formats/marc_record.h"

#include <algorithm>
#include <array>
#include <optional>

#include "formats/marc/metadata.h"
#include "formats/marc/tidy.h"

namespace rondo::marc {
namespace {

struct NamedCode {
  char code;
  std::string_view name;
};

/// Which subfield of an incipit means what. UNIMARC gives the letters d f g m r s z other meanings.
struct Codes {
  int tag;
  std::string_view field;  ///< "031", for messages
  char clef;
  char key;
  char instrument;
  std::span<const NamedCode> names;  ///< free fields of the piece
};

constexpr auto kNames031 = std::to_array<NamedCode>({{'d', "heading"},
                                                     {'e', "role"},
                                                     {'m', "instrument"},
                                                     {'q', "note"},
                                                     {'r', "key"},
                                                     {'s', "validity"},
                                                     {'t', "text"},
                                                     {'u', "incipit_link"},
                                                     {'y', "link_text"},
                                                     {'z', "public_note"}});
constexpr auto kNames036 = std::to_array<NamedCode>({{'d', "instrument"},
                                                     {'e', "role"},
                                                     {'f', "heading"},
                                                     {'g', "key"},
                                                     {'q', "note"},
                                                     {'r', "validity"},
                                                     {'t', "text"},
                                                     {'u', "incipit_link"},
                                                     {'z', "text_language"}});
constexpr Codes k031 = {31, "031", 'g', 'r', 'm', kNames031};
constexpr Codes k036 = {36, "036", 'm', 'g', 'd', kNames036};

/// Each incipit has a copy of the record's metadata, so their number is limited.
constexpr std::size_t kIncipitsPerRecord = 10'000;

constexpr char kKeySignature = 'n';
constexpr char kTimeSignature = 'o';
constexpr char kNotation = 'p';
constexpr char kSystem = '2';

/// Ids go into TREC files, whose columns are separated by blanks.
std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

/// "031 $aa$b01$c02$gC-1..."
std::string readable(std::string_view field, std::span<const Subfield> subfields) {
  std::string out(field);
  out += ' ';
  for (const Subfield& subfield : subfields) {
    out += '$';
    out += subfield.code;
    out += subfield.text;
  }
  return out;
}

}  // namespace

int tag_number(std::string_view tag) {
  if (tag.size() != 3) return kOtherTag;
  int number = 0;
  for (const char c : tag) {
    if (c < '0' || c > '9') return kOtherTag;
    number = 10 * number + (c - '0');
  }
  return number;
}

void Record::clear() {
  leader = {};
  fields.clear();
  subfields.clear();
}

const Field* Record::find(int tag) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [tag](const Field& f) { return f.tag == tag; });
  return found == fields.end() ? nullptr : &*found;
}

/// One 031 or 036.
struct Incipit {
  const Codes& codes;
  std::span<const Subfield> subfields;
  std::size_t ordinal;  ///< among the incipits of the record, from 1
  mutable bool unescaped = false;

  /// The first subfield with this code, tidied; empty where there is none.
  [[nodiscard]] std::string first(char code) const {
    for (const Subfield& subfield : subfields) {
      if (subfield.code == code) return tidy(subfield.text, unescaped);
    }
    return {};
  }
};

void PieceMaker::warn(std::string code, std::string message, const std::string& record, std::string field,
                      std::string hint) {
  Place place;
  place.file = options_.file;
  place.record = record;
  place.field = std::move(field);
  sink_.warn({std::move(code), std::move(message), std::move(place), std::move(hint)});
}

bool PieceMaker::deliver(const Record& record, std::size_t number, Diagnostics& remarks) {
  ++records_;
  const Dialect dialect = dialect_of(record);
  const Codes& codes = dialect == Dialect::unimarc ? k036 : k031;
  std::size_t left = static_cast<std::size_t>(
      std::count_if(record.fields.begin(), record.fields.end(), [&](const Field& f) { return f.tag == codes.tag; }));
  if (left == 0) {
    ++without_;
    return true;
  }
  std::string id;
  bool unescaped = false;
  if (const Field* control = record.find(1)) id = without_blanks(tidy(control->text, unescaped));
  const bool own_id = !id.empty();
  if (!own_id) id = record_id(options_, number);
  for (Diagnostic& remark : remarks) {
    remark.place.file = options_.file;
    remark.place.record = id;
    sink_.warn(std::move(remark));
  }
  RecordMetadata shared = read_metadata(record, dialect);
  if (own_id) shared.metadata.fields.emplace_back("record", id);
  if (shared.cut) warn("marc-metadata-cut", "the record has more text than is kept; the rest was left out", id);
  if (shared.unescaped) warn("marc-escaped-twice", "entities such as &amp; were left in the text and are decoded", id);

  used_.clear();
  std::size_t ordinal = 0;
  for (const Field& field : record.fields) {
    if (field.tag != codes.tag) continue;
    if (ordinal == kIncipitsPerRecord) {
      Place place;
      place.file = options_.file;
      place.record = id;
      return sink_.skip({"marc-too-many-incipits",
                         "the record has more than " + std::to_string(kIncipitsPerRecord) + " incipits",
                         std::move(place),
                         {}});
    }
    const Incipit incipit{codes, record.of(field), ++ordinal};
    Piece made;
    made.id = piece_id(id, incipit);
    // The record's metadata is moved to the last incipit; the others copy it.
    if (--left == 0) {
      made.metadata = std::move(shared.metadata);
    } else {
      made.metadata = shared.metadata;
    }
    if (!piece(incipit, std::move(made))) return false;
  }
  return true;
}

/// Record, colon, and the number $a.$b.$c as written; a part that is missing is 0. Where all three are, it is the
/// number of the incipit within the record.
std::string PieceMaker::piece_id(const std::string& record_id, const Incipit& incipit) {
  std::string number;
  bool any = false;
  for (const char code : {'a', 'b', 'c'}) {
    const std::string part = without_blanks(incipit.first(code));
    any = any || !part.empty();
    if (code != 'a') number += '.';
    number += part.empty() ? "0" : part;
  }
  std::string id = record_id + ":" + (any ? number : std::to_string(incipit.ordinal));
  const std::size_t times = ++used_[id];
  if (times == 1) return id;
  std::string other = id + ":" + std::to_string(times);
  warn("marc-number-repeated", "the incipit number " + number + " was given before in this record; it becomes " + other,
       other, std::string(incipit.codes.field) + " $a$b$c", "number the incipits of a record differently");
  return other;
}

bool PieceMaker::piece(const Incipit& incipit, Piece&& made) {
  made.format = format_;
  if (options_.keep_source) made.source_text = readable(incipit.codes.field, incipit.subfields);
  for (const Subfield& subfield : incipit.subfields) {
    for (const NamedCode& named : incipit.codes.names) {
      if (named.code != subfield.code) continue;
      std::string text = tidy(subfield.text, incipit.unescaped);
      if (!text.empty()) made.metadata.fields.emplace_back(std::string(named.name), std::move(text));
    }
  }
  if (!parse(incipit, made)) {
    Diagnostic why = std::move(warnings_.back());
    warnings_.clear();
    return sink_.skip(std::move(why));
  }
  for (Diagnostic& warning : warnings_) sink_.warn(std::move(warning));
  warnings_.clear();
  return sink_.piece(std::move(made));
}

/// Adds the voice, if the incipit has supported notation. false: it cannot be read; the last of `warnings_` says why.
bool PieceMaker::parse(const Incipit& incipit, Piece& made) {
  const auto add = [&](std::string code, std::string message, char subfield, std::string hint = {}) {
    Place place;
    place.file = options_.file;
    place.record = made.id;
    place.field = incipit.codes.field;
    if (subfield != ' ') place.field += std::string(" $") + subfield;
    warnings_.push_back({std::move(code), std::move(message), std::move(place), std::move(hint)});
  };
  const std::string data = incipit.first(kNotation);
  const std::string system = incipit.first(kSystem);
  const std::string clef = incipit.first(incipit.codes.clef);
  const std::string key_signature = incipit.first(kKeySignature);
  const std::string time_signature = incipit.first(kTimeSignature);
  const std::string key = incipit.first(incipit.codes.key);
  if (incipit.unescaped)
    add("marc-escaped-twice", "entities such as &amp;apos; were left in the text and are decoded", ' ');
  if (data.empty()) {
    add("marc-no-notation", "the incipit has no notation; it is kept without a melody", kNotation);
    return true;
  }
  if (!system.empty() && system != "pe" && system != "PE" && system != "pae" && system != "pe2") {
    made.metadata.fields.emplace_back("system", system);
    add("marc-notation-unknown", "the notation is in the system \"" + system + "\"; it is kept without a melody",
        kSystem, "only Plaine & Easie (pe) is read");
    return true;
  }
  Voice& voice = made.voices.emplace_back();
  PaeOptions options;
  options.expand_repeats = options_.expand_repeats;
  const std::size_t before = warnings_.size();
  auto done = parser_.parse({clef, key_signature, time_signature, key, data, system == "pe2" ? "2" : ""}, options,
                            voice, warnings_);
  if (!done) warnings_.push_back(std::move(done.error()));
  for (std::size_t i = before; i < warnings_.size(); ++i) {
    Place& place = warnings_[i].place;
    place.file = options_.file;
    place.record = made.id;
    const char subfield = place.field == "clef"      ? incipit.codes.clef
                          : place.field == "keysig"  ? kKeySignature
                          : place.field == "timesig" ? kTimeSignature
                          : place.field == "key"     ? incipit.codes.key
                                                     : kNotation;
    place.field = std::string(incipit.codes.field) + " $" + subfield;
  }
  if (done) {
    voice.name = incipit.first(incipit.codes.instrument);
    return true;
  }
  made.voices.clear();
  return warnings_.back().code == "pae-no-notation";
}

void PieceMaker::finish() {
  if (without_ == 0) return;
  Place place;
  place.file = options_.file;
  sink_.warn(
      {"marc-records-without-incipit",
       std::to_string(without_) + " of " + std::to_string(records_) + " records have no incipit (031, UNIMARC 036)",
       std::move(place),
       {}});
}

}  // namespace rondo::marc
