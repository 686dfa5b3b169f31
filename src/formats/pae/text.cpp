#include "formats/pae/text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "formats/pae/signs.h"

namespace rondo::pae {
namespace {

enum SignClass : std::uint8_t { kPlain = 0, kVersion2 = 1, kEncoded = 2 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : {'_', '>', 'y', 'p', 'u'}) classes[static_cast<unsigned char>(c)] = kVersion2;
  classes[static_cast<unsigned char>('&')] = kEncoded;
  for (std::size_t c = 0x80; c < 0x100; ++c) classes[c] = kEncoded;
  return classes;
}();

struct Replacement {
  std::string_view from;
  char to;
};

constexpr std::array kEntities = {Replacement{"&amp;", '&'},   Replacement{"&lt;", '<'},   Replacement{"&gt;", '>'},
                                  Replacement{"&apos;", '\''}, Replacement{"&quot;", '"'}, Replacement{"&nbsp;", ' '}};
// Typographic replacements of ' and -, and the no-break space: U+2018, U+2019, U+00B4, U+2032, U+2013, U+2212, U+00A0.
constexpr std::array kTypography = {Replacement{"\xE2\x80\x98", '\''}, Replacement{"\xE2\x80\x99", '\''},
                                    Replacement{"\xC2\xB4", '\''},     Replacement{"\xE2\x80\xB2", '\''},
                                    Replacement{"\xE2\x80\x93", '-'},  Replacement{"\xE2\x88\x92", '-'},
                                    Replacement{"\xC2\xA0", ' '}};

template <std::size_t N>
const Replacement* find(const std::array<Replacement, N>& table, std::string_view text) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const auto& r) { return text.starts_with(r.from); });
  return it == table.end() ? nullptr : &*it;
}

/// "&#39;" or "&#x27;": the ASCII character it stands for and its length; length 0 when it is none.
struct NumericEntity {
  char value = 0;
  std::size_t length = 0;
};
NumericEntity numeric_entity(std::string_view text) {
  if (!text.starts_with("&#")) return {};
  const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char* first = text.data() + (hex ? 3 : 2);
  const char* last = text.data() + std::min<std::size_t>(text.size(), 10);
  if (first >= last) return {};
  unsigned value = 0;
  const auto [stop, problem] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (problem != std::errc{} || stop == last || *stop != ';' || value == 0 || value > 126) return {};
  return {static_cast<char>(value), static_cast<std::size_t>(stop - text.data()) + 1};
}

constexpr bool is_name(char c) { return c >= 'A' && c <= 'G'; }

}  // namespace

void NotationText::look() {
  std::uint8_t seen = kPlain;
  for (const char c : view_) seen = static_cast<std::uint8_t>(seen | kClasses[static_cast<unsigned char>(c)]);
  version_2_signs_ = (seen & kVersion2) != 0;
  needs_decoding_ = (seen & kEncoded) != 0;
}

void NotationText::set(std::string_view data, bool liberal, Remarks& remarks) {
  view_ = data;
  original_size_ = data.size();
  origin_.clear();
  look();
  if (needs_decoding_) decode(data, remarks);
  if (liberal) make_liberal(remarks);
}

void NotationText::decode(std::string_view data, Remarks& remarks) {
  buffer_.clear();
  bool entities = false;
  bool typography = false;
  for (std::size_t at = 0; at < data.size();) {
    const std::string_view rest = data.substr(at);
    std::size_t length = 1;
    char sign = data[at];
    if (const Replacement* entity = find(kEntities, rest)) {
      sign = entity->to;
      length = entity->from.size();
    } else if (const NumericEntity number = numeric_entity(rest); number.length > 0) {
      sign = number.value;
      length = number.length;
    } else if (const Replacement* typographic = find(kTypography, rest)) {
      sign = typographic->to;
      length = typographic->from.size();
    }
    if (length > 1 && rest.front() == '&' && !entities) {
      entities = true;
      remarks.warn("pae-html-entity", "HTML entities stand for signs; they were read as those signs", "data", at + 1,
                   "store the notation unescaped");
    } else if (length > 1 && rest.front() != '&' && !typography) {
      typography = true;
      remarks.warn("pae-typographic-sign", "typographic quotes or dashes were read as ' and -", "data", at + 1,
                   "PAE uses the plain ' and -");
    }
    buffer_.push_back(sign);
    origin_.push_back(static_cast<std::uint32_t>(at));
    at += length;
  }
  view_ = buffer_;
  look();
}

/// Rewrites typed text as plain PAE. Without any capitals, lower-case letters are the names (and b is always the note:
/// a flat needs capitals). H is B natural, and beside an H, as in B-A-C-H, B is B flat.
void NotationText::make_liberal(Remarks& remarks) {
  const std::string_view from = view_;
  const bool capitals = std::any_of(from.begin(), from.end(), [](char c) { return is_name(c) || c == 'H'; });
  const bool german =
      std::any_of(from.begin(), from.end(), [&](char c) { return c == 'H' || (!capitals && c == 'h'); });
  if (german) {
    remarks.warn("pae-german-names", "read with German names: H is B natural, B is B flat", "data",
                 column(from.find_first_of(capitals ? "H" : "h")));
  }
  spare_.clear();
  spare_origin_.clear();
  const auto put = [&](std::string_view signs, std::size_t at) {
    spare_.append(signs);
    spare_origin_.insert(spare_origin_.end(), signs.size(), static_cast<std::uint32_t>(column(at) - 1));
  };
  std::size_t name_at = 0;  // where in spare_ the last name and what belongs before it begins
  for (std::size_t at = 0; at < from.size(); ++at) {
    char c = from[at];
    if (c == '%' || c == '$' || c == '@') {  // changes keep their own alphabet
      const std::string_view rest = from.substr(at + 1);
      const std::size_t extent = c == '%'   ? clef_extent(rest)
                                 : c == '$' ? key_signature_extent(rest)
                                            : time_extent(rest);
      put(from.substr(at, extent + 1), at);
      at += extent;
      continue;
    }
    if (c == '#') {
      const bool after_name = at > 0 && !spare_.empty() && is_name(spare_.back());
      if (after_name) {
        const auto before = static_cast<std::ptrdiff_t>(name_at);
        spare_.insert(spare_.begin() + before, 'x');
        spare_origin_.insert(spare_origin_.begin() + before, static_cast<std::uint32_t>(column(at) - 1));
      } else {
        put("x", at);
      }
      continue;
    }
    if (!capitals && c >= 'a' && c <= 'h') c = static_cast<char>(c - 'a' + 'A');
    name_at = spare_.size();
    const bool marked = at > 0 && (from[at - 1] == 'x' || from[at - 1] == 'n' || (capitals && from[at - 1] == 'b'));
    if (c == 'H') {
      put(marked ? "B" : "nB", at);
    } else if (c == 'B' && german && !marked) {
      put("bB", at);
    } else {
      put(std::string_view(&c, 1), at);
    }
  }
  buffer_.swap(spare_);
  origin_.swap(spare_origin_);
  view_ = buffer_;
  look();
}

}  // namespace rondo::pae
