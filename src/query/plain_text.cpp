#include "query/plain_text.h"

#include <algorithm>
#include <array>

#include "base/streams.h"
#include "base/utf8.h"
#include "melody/limits.h"
#include "query/draft.h"

namespace rondo::query {
namespace {

struct Sign {
  std::string_view from;
  std::string_view to;
};
constexpr std::array kSigns = {
    Sign{"\xE2\x99\xAF", "#"},       // sharp
    Sign{"\xE2\x99\xAD", "b"},       // flat
    Sign{"\xE2\x99\xAE", "n"},       // natural
    Sign{"\xF0\x9D\x84\xAA", "##"},  // double sharp
    Sign{"\xF0\x9D\x84\xAB", "bb"},  // double flat
    Sign{"\xE2\x80\x98", "'"},       // quotes
    Sign{"\xE2\x80\x99", "'"},      Sign{"\xC2\xB4", "'"},      Sign{"\xE2\x80\xB2", "'"},
    Sign{"\xE2\x80\xB3", "''"},     Sign{"\xE2\x80\x93", "-"},                          // dashes
    Sign{"\xE2\x80\x94", "-"},      Sign{"\xE2\x88\x92", "-"},  Sign{"\xC2\xA0", " "},  // a blank that does not break
    Sign{"\xE2\x80\xA6", "..."},                                                        // ellipsis
    Sign{"\xE2\x86\x91", "^"},                                                          // arrows
    Sign{"\xE2\x86\x93", "v"},      Sign{"\xE2\x86\x92", "r"},  Sign{"\xEF\xBB\xBF", ""},  // byte order mark
    Sign{"\xE2\x80\x9C", "\""},                                                            // double quotes
    Sign{"\xE2\x80\x9D", "\""},     Sign{"\xE2\x80\x9E", "\""}, Sign{"\xC2\xAB", "\""},
    Sign{"\xC2\xBB", "\""},         Sign{"\xE3\x80\x80", " "},  // the blank of CJK
};

std::uint32_t characters(std::string_view text, std::size_t bytes) {
  const std::string_view part = text.substr(0, bytes);
  return static_cast<std::uint32_t>(
      std::count_if(part.begin(), part.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

PlainText::PlainText(std::string_view original) : original_(original) {
  std::size_t begin = 0;
  std::size_t end = original.size();
  while (begin < end && is_blank(original[begin])) ++begin;
  while (end > begin && is_blank(original[end - 1])) --end;
  text_.reserve(end - begin);
  origin_.reserve(end - begin + 1);
  for (std::size_t at = begin; at < end;) {
    const std::string_view rest = original.substr(at, end - at);
    std::string_view to = rest.substr(0, 1);
    std::size_t length = 1;
    if (static_cast<unsigned char>(rest.front()) >= 0x80) {
      const auto* const sign =
          std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& s) { return rest.starts_with(s.from); });
      if (sign != kSigns.end()) {
        to = sign->to;
        length = sign->from.size();
      }
    }
    text_ += to;
    origin_.insert(origin_.end(), to.size(), static_cast<std::uint32_t>(at));
    at += length;
  }
  origin_.push_back(static_cast<std::uint32_t>(end));
}

void PlainText::locate(Place& place) const {
  place.file.clear();
  place.record.clear();
  if (place.column == 0) {
    place.line = 0;
    return;
  }
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line && begin < text_.size(); ++line) {
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  place.line = 0;
  const std::size_t at = std::min(begin + place.column - 1, text_.size());
  place.column = characters(original_, origin_[at]) + 1;
}

std::size_t PlainText::word_begin(std::uint32_t column) const {
  std::size_t at = 0;
  for (std::uint32_t seen = 0; at < original_.size(); ++at) {
    if ((static_cast<unsigned char>(original_[at]) & 0xC0U) != 0x80U && ++seen == std::max(column, 1U)) break;
  }
  while (at > 0 && !is_blank(original_[at - 1])) --at;
  return at;
}

std::uint32_t PlainText::word_start(std::uint32_t column) const {
  return characters(original_, word_begin(column)) + 1;
}

std::string PlainText::word_at(std::uint32_t column) const {
  constexpr std::size_t kLongest = 40;
  const std::size_t begin = word_begin(column);
  std::size_t end = begin;
  while (end < original_.size() && !is_blank(original_[end])) ++end;
  std::string word(original_.substr(begin, end - begin));
  if (word.size() <= kLongest) return word;
  return std::string(utf8_prefix(word, kLongest)) + "...";
}

bool WholeText::file(const std::string& /*name*/, std::unique_ptr<ByteSource> source) {
  if (auto all = read_all(*source, limits::kRecordBytes)) text = std::move(*all);
  return false;
}

}  // namespace rondo::query
