#include "formats/marc/iso2709.h"

#include <algorithm>

#include "base/utf8.h"
#include "formats/marc/marc8.h"
#include "formats/marc/metadata.h"

namespace rondo::marc {
namespace {

constexpr std::size_t kLeader = 24;
constexpr std::size_t kTag = 3;

/// A one-digit width from the leader's entry map; `usual` if it is missing.
std::size_t width(std::string_view leader, std::size_t at, std::size_t usual) {
  return leader[at] >= '1' && leader[at] <= '9' ? static_cast<std::size_t>(leader[at] - '0') : usual;
}

void remark(Diagnostics& remarks, std::string code, std::string message, std::string hint = {}) {
  remarks.push_back({std::move(code), std::move(message), {}, std::move(hint)});
}

}  // namespace

bool read_digits(std::string_view digits, std::size_t& value) {
  value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    value = 10 * value + static_cast<std::size_t>(c - '0');
  }
  return !digits.empty();
}

Result<void> Iso2709Parser::parse(std::string_view bytes, Record& record, Diagnostics& remarks) {
  record.clear();
  decoded_.clear();
  const std::size_t directory_end = bytes.size() < kLeader ? std::string_view::npos : bytes.find(kFieldEnd, kLeader);
  if (directory_end == std::string_view::npos) {
    return fail("marc-no-directory", "there is no leader and directory before the end of the record");
  }
  record.leader = bytes.substr(0, kLeader);
  std::size_t length = 0;
  if (!read_digits(record.leader.substr(0, 5), length) || length != bytes.size() + 1) {
    remark(remarks, "marc-length-wrong", "the length in the leader is wrong; the record terminator is used");
  }
  const std::string_view data = bytes.substr(directory_end + 1);
  std::size_t base = 0;
  const bool trusted = read_directory(record.leader, bytes.substr(kLeader, directory_end - kLeader)) &&
                       read_digits(record.leader.substr(12, 5), base) && base == directory_end + 1 &&
                       directory_fits(data);
  if (!trusted) {
    remark(remarks, "marc-directory-wrong", "the directory does not match the fields; the field terminators are used");
    mend_directory(data);
  }
  for (const Entry& entry : entries_) add_field(entry, data, record);
  decode(bytes, record, remarks);
  return {};
}

/// false when some of it is no numbers.
bool Iso2709Parser::read_directory(std::string_view leader, std::string_view directory) {
  entries_.clear();
  const std::size_t length_width = width(leader, 20, 4);
  const std::size_t start_width = width(leader, 21, 5);
  const std::size_t other_width = leader[22] == '0' ? 0 : width(leader, 22, 0);
  const std::size_t size = kTag + length_width + start_width + other_width;
  bool fine = directory.size() % size == 0;
  for (; directory.size() >= size; directory.remove_prefix(size)) {
    Entry entry;
    entry.tag = tag_number(directory.substr(0, kTag));
    fine = read_digits(directory.substr(kTag, length_width), entry.length) && fine;
    fine = read_digits(directory.substr(kTag + length_width, start_width), entry.start) && fine;
    entries_.push_back(entry);
  }
  return fine;
}

/// Every field lies within the data and ends with a terminator, and their total is not more than the data: else a
/// malicious directory could refer to one long field a hundred thousand times.
bool Iso2709Parser::directory_fits(std::string_view data) const {
  std::size_t sum = 0;
  for (const Entry& entry : entries_) {
    sum += entry.length;
    if (entry.length == 0 || sum > data.size() || entry.start > data.size() - entry.length) return false;
    if (data[entry.start + entry.length - 1] != kFieldEnd) return false;
    if (entry.start > 0 && data[entry.start - 1] != kFieldEnd) return false;
  }
  return true;
}

/// Assigns the fields found by terminators to the entries, in the order of their starts.
void Iso2709Parser::mend_directory(std::string_view data) {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.start < b.start; });
  std::size_t at = 0;
  std::size_t used = 0;
  for (; used < entries_.size() && at < data.size(); ++used) {
    const std::size_t end = std::min(data.find(kFieldEnd, at), data.size() - 1);
    entries_[used].start = at;
    entries_[used].length = end + 1 - at;
    at = end + 1;
  }
  entries_.resize(used);
}

void Iso2709Parser::add_field(const Entry& entry, std::string_view data, Record& record) {
  std::string_view text = data.substr(entry.start, entry.length);
  if (text.ends_with(kFieldEnd)) text.remove_suffix(1);
  Field field;
  field.tag = entry.tag;
  field.first = static_cast<std::uint32_t>(record.subfields.size());
  if (entry.tag != kOtherTag && entry.tag < 10) {
    field.text = text;
    record.fields.push_back(field);
    return;
  }
  // The indicators precede the first delimiter.
  for (std::size_t at = text.find(kSubfield); at != std::string_view::npos;) {
    const std::size_t next = text.find(kSubfield, at + 1);
    const std::string_view part = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    if (!part.empty()) {
      record.subfields.push_back({part.front(), part.substr(1)});
      ++field.count;
    }
    at = next;
  }
  record.fields.push_back(field);
}

/// UTF-8 where leader/09 says so, or where it does not but the bytes can be nothing else; else MARC-8. The text of a
/// UNIMARC record that is not UTF-8 is in one of a dozen sets named by 100 $a, none of which is read.
void Iso2709Parser::decode(std::string_view bytes, Record& record, Diagnostics& remarks) {
  constexpr char kEscape = 0x1B;
  const bool says_utf8 = record.leader[9] == 'a';
  const bool unimarc = dialect_of(record) == Dialect::unimarc;
  const bool utf8 = is_utf8(bytes);
  const bool marc8 = !says_utf8 && !unimarc && (!utf8 || bytes.find(kEscape) != std::string_view::npos);
  if (utf8 && !marc8) {
    if (!says_utf8 && !unimarc && !is_ascii(bytes)) {
      remark(remarks, "marc-encoding-wrong", "the leader says MARC-8, but the text is UTF-8 and is read as such");
    }
    return;
  }
  bool lost = !marc8;
  const auto mend = [&](std::string_view& text) {
    text = decoded_.emplace_back(marc8 ? from_marc8(text, lost) : repair_utf8(text));
  };
  for (Field& field : record.fields) mend(field.text);
  for (Subfield& subfield : record.subfields) mend(subfield.text);
  if (!lost) return;
  if (marc8) {
    remark(remarks, "marc-characters-lost", "characters beyond the Latin part of MARC-8 became question marks",
           "convert the file to UTF-8 first to keep them");
  } else {
    remark(remarks, "marc-bad-utf8", "bytes that are not UTF-8 were replaced", "convert the file to UTF-8 first");
  }
}

}  // namespace rondo::marc
