#include "formats/marc/metadata.h"

#include <algorithm>
#include <array>

#include "formats/marc/tidy.h"

namespace rondo::marc {
namespace {

enum class Target : std::uint8_t {
  composer,       ///< the first wins
  name,           ///< the composer if none is known yet and the relator does not say otherwise; else "contributor"
  uniform_title,  ///< the title
  title_proper,   ///< the title where there is no uniform one; else "title_on_source"
  source,
  year,
  catalogue,  ///< every one
  holding,    ///< library and shelfmark; further ones become the field "holding"
  uri,        ///< the first; further ones become the field "link"
  field,      ///< the free field `name`, every one
};

/// One line of the mapping: the text of these subfields, in the record's order with `joiner` between, goes there.
struct Rule {
  int tag;
  std::string_view codes;
  std::string_view joiner;
  Target target;
  std::string_view name = {};
};

// docs/formats/marc.md shows these two tables to people.
constexpr auto kMarc21 = std::to_array<Rule>({
    {41, "ad", ", ", Target::field, "language"},
    {100, "a", " ", Target::composer},
    {110, "ab", " ", Target::composer},
    {240, "anp", ". ", Target::uniform_title},
    {240, "m", ", ", Target::field, "scoring"},
    {240, "r", ", ", Target::field, "work_key"},
    {245, "abnp", " ", Target::title_proper},
    {260, "ab", " ", Target::source},
    {260, "c", " ", Target::year},
    {264, "ab", " ", Target::source},
    {264, "c", " ", Target::year},
    {383, "bc", ", ", Target::catalogue},
    {510, "ac", ", ", Target::field, "reference"},
    {593, "a", ", ", Target::field, "source_type"},
    {650, "axyzv", " -- ", Target::field, "subject"},
    {655, "a", ", ", Target::field, "genre"},
    {690, "an", " ", Target::catalogue},
    {691, "an", " ", Target::catalogue},
    {700, "a", " ", Target::name},
    {773, "t", " ", Target::field, "host_title"},
    {773, "w", " ", Target::field, "host"},
    {852, "", "", Target::holding},
    {856, "u", " ", Target::uri},
});

constexpr auto kUnimarc = std::to_array<Rule>({
    {101, "a", ", ", Target::field, "language"},
    {200, "ae", " : ", Target::title_proper},
    {210, "ac", " : ", Target::source},
    {210, "d", " ", Target::year},
    {214, "ac", " : ", Target::source},
    {214, "d", " ", Target::year},
    {461, "t", " ", Target::field, "host_title"},
    {500, "a", " ", Target::uniform_title},
    {606, "axyz", " -- ", Target::field, "subject"},
    {608, "a", ", ", Target::field, "genre"},
    {700, "ab", ", ", Target::composer},
    {710, "a", " ", Target::composer},
    {701, "ab", ", ", Target::name},
    {702, "ab", ", ", Target::name},
    {852, "", "", Target::holding},
    {856, "u", " ", Target::uri},
});

/// A bitmap of the tags of a table, so that other tags are skipped quickly.
template <std::size_t N>
constexpr std::array<bool, 1000> tags_of(const std::array<Rule, N>& rules) {
  std::array<bool, 1000> wanted{};
  for (const Rule& rule : rules) wanted[static_cast<std::size_t>(rule.tag)] = true;
  return wanted;
}
constexpr auto kMarc21Tags = tags_of(kMarc21);
constexpr auto kUnimarcTags = tags_of(kUnimarc);

/// Removes ISBD punctuation at the end ("Title /", "Bach, J. S.,").
void strip_punctuation(std::string& text) {
  while (!text.empty() && std::string_view(" /:;=,").find(text.back()) != std::string_view::npos) text.pop_back();
}

class Collector {
 public:
  explicit Collector(const Record& record) : record_(record) {}

  void apply(const Rule& rule, const Field& field) {
    const auto subfields = record_.of(field);
    if (rule.target == Target::holding) {
      holding(subfields);
      return;
    }
    std::string text = joined(subfields, rule.codes, rule.joiner);
    if (text.empty() || !fits(text)) return;
    put(rule, std::move(text), subfields);
  }

  RecordMetadata finish() {
    Metadata& data = done_.metadata;
    if (data.title.empty()) {
      data.title = std::move(title_proper_);
    } else if (!title_proper_.empty()) {
      add("title_on_source", std::move(title_proper_));
    }
    if (data.composer.empty()) {
      data.composer = std::move(likely_composer_);
    } else if (!likely_composer_.empty()) {
      add("contributor", std::move(likely_composer_));
    }
    return std::move(done_);
  }

 private:
  // Each incipit of the record gets a copy of this, so the size is limited.
  static constexpr std::size_t kMaxBytes = std::size_t{16} * 1024;

  std::string joined(std::span<const Subfield> subfields, std::string_view codes, std::string_view joiner) {
    std::string text;
    for (const Subfield& subfield : subfields) {
      if (codes.find(subfield.code) == std::string_view::npos) continue;
      std::string part = tidy(subfield.text, done_.unescaped);
      strip_punctuation(part);
      if (part.empty()) continue;
      if (!text.empty()) text += joiner;
      text += part;
    }
    return text;
  }

  bool fits(std::string_view text) {
    bytes_ += text.size();
    if (bytes_ <= kMaxBytes) return true;
    done_.cut = true;
    return false;
  }

  void add(std::string_view name, std::string text) {
    done_.metadata.fields.emplace_back(std::string(name), std::move(text));
  }

  void put(const Rule& rule, std::string text, std::span<const Subfield> subfields) {
    Metadata& data = done_.metadata;
    const auto first_of = [&text](std::string& into) {
      if (!into.empty()) return false;
      into = std::move(text);
      return true;
    };
    switch (rule.target) {
      case Target::composer: first_of(data.composer); break;
      case Target::name: name(std::move(text), subfields); break;
      case Target::uniform_title: first_of(data.title); break;
      case Target::title_proper: first_of(title_proper_); break;
      case Target::source: first_of(data.source); break;
      case Target::year: first_of(data.year); break;
      case Target::catalogue: data.catalogue.push_back(std::move(text)); break;
      case Target::uri:
        if (!first_of(data.uri)) add("link", std::move(text));
        break;
      case Target::field: add(rule.name, std::move(text)); break;
      case Target::holding: break;
    }
  }

  /// A further name: $4 or $e say what the person did; a composer is "cmp", in UNIMARC "230".
  void name(std::string text, std::span<const Subfield> subfields) {
    std::string relator = joined(subfields, "4", " ");
    if (relator.empty()) relator = joined(subfields, "e", " ");
    const bool composes = relator == "cmp" || relator == "230" || relator == "composer";
    if (composes && !composer_said_) {
      if (!likely_composer_.empty()) add("contributor", std::move(likely_composer_));
      likely_composer_ = std::move(text);
      composer_said_ = true;
    } else if (relator.empty() && likely_composer_.empty()) {
      likely_composer_ = std::move(text);
    } else {
      add("contributor", relator.empty() ? std::move(text) : text + " (" + relator + ")");
    }
  }

  /// RISM puts the shelfmark into $c; others into $j or $h $i.
  void holding(std::span<const Subfield> subfields) {
    std::string library = joined(subfields, "a", " ");
    std::string shelfmark;
    for (const std::string_view codes : {"c", "j", "hi"}) {
      shelfmark = joined(subfields, codes, " ");
      if (!shelfmark.empty()) break;
    }
    if (library.empty() && shelfmark.empty()) return;
    if (!fits(library) || !fits(shelfmark)) return;
    Metadata& data = done_.metadata;
    if (data.library.empty() && data.shelfmark.empty()) {
      data.library = std::move(library);
      data.shelfmark = std::move(shelfmark);
    } else {
      add("holding", shelfmark.empty() ? library : library + " " + shelfmark);
    }
  }

  const Record& record_;
  RecordMetadata done_;
  std::string title_proper_;
  std::string likely_composer_;
  bool composer_said_ = false;  ///< stated by a relator code
  std::size_t bytes_ = 0;
};

}  // namespace

Dialect dialect_of(const Record& record) {
  bool unimarc = false;
  for (const Field& field : record.fields) {
    if (field.tag == 31 || field.tag == 245) return Dialect::marc21;
    unimarc = unimarc || field.tag == 36 || field.tag == 200;
  }
  return unimarc ? Dialect::unimarc : Dialect::marc21;
}

RecordMetadata read_metadata(const Record& record, Dialect dialect) {
  const bool unimarc = dialect == Dialect::unimarc;
  const auto& wanted = unimarc ? kUnimarcTags : kMarc21Tags;
  const std::span<const Rule> rules = unimarc ? std::span<const Rule>(kUnimarc) : std::span<const Rule>(kMarc21);
  Collector collector(record);
  for (const Field& field : record.fields) {
    if (!wanted[static_cast<std::size_t>(field.tag)]) continue;
    for (const Rule& rule : rules) {
      if (rule.tag == field.tag) collector.apply(rule, field);
    }
  }
  return collector.finish();
}

}  // namespace rondo::marc
