#include "formats/esac/record.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::esac {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kLongestName = 16;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string_view without_blanks_behind(std::string_view line) {
  const std::size_t last = line.find_last_not_of(kBlanks);
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Removes the closing bracket of a line that ends a field: "... //]", also "... //] >>", the mark of some databases.
bool take_end(std::string_view& line) {
  std::string_view rest = without_blanks_behind(line);
  while (rest.ends_with('>')) rest.remove_suffix(1);
  rest = without_blanks_behind(rest);
  if (!rest.ends_with(']')) return false;
  line = rest.substr(0, rest.size() - 1);
  return true;
}

/// A bit for each field that a record has once; 0 for the others.
unsigned once_bit(std::string_view name) { return name == "CUT" ? 1U : name == "KEY" ? 2U : name == "MEL" ? 4U : 0U; }
constexpr unsigned kMelodyBit = 4;

}  // namespace

bool ends_field(std::string_view line) { return take_end(line); }

FieldStart field_start(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(kBlanks), line.size());
  const std::size_t bracket = line.find('[', first);
  if (bracket == std::string_view::npos) return {};
  const std::string_view name = without_blanks_behind(line.substr(first, bracket - first));
  if (!is_name(name)) return {};
  return {name, line.substr(bracket + 1)};
}

const Field* Record::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

RecordReader::RecordReader(ByteSource& source) : lines_(source, limits::kRecordBytes) {}

Result<bool> RecordReader::next_line() {
  skipped_ = false;
  for (;;) {
    std::string_view line;
    auto more = lines_.next(line);
    if (!more && more.error().code == "line-too-long") {
      skipped_ = true;
      continue;
    }
    if (!more || !*more) return more;
    if (lines_.number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    line_ = line;
    number_ = static_cast<std::uint32_t>(lines_.number());
    return true;
  }
}

bool RecordReader::begins_another() const {
  if (in_field_) return false;
  const FieldStart start = field_start(line_);
  if (!start.name.empty()) return (once_bit(start.name) & seen_) != 0;
  const bool blank = line_.find_first_not_of(kBlanks) == std::string::npos;
  return (seen_ & kMelodyBit) != 0 && !blank;
}

void RecordReader::take_line(Record& record) {
  if (record.source_text.size() + line_.size() >= limits::kRecordBytes) record.too_large = true;
  if (record.too_large) return;
  (record.source_text += line_) += '\n';
  std::string_view line = line_;
  const FieldStart start = in_field_ ? FieldStart{} : field_start(line);
  if (!in_field_ && start.name.empty()) {
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos) record.heading = without_blanks_behind(line.substr(first));
    return;
  }
  if (!in_field_) {
    Field& field = record.fields.emplace_back();
    field.name = start.name;
    seen_ |= once_bit(start.name);
    field.line = number_;
    field.column = static_cast<std::uint32_t>(start.text.data() - line.data()) + 1;
    line = start.text;
  } else {
    record.fields.back().text += '\n';
  }
  in_field_ = !take_end(line);
  record.fields.back().text += without_blanks_behind(line);
}

Result<bool> RecordReader::next(Record& record) {
  record = Record{};
  in_field_ = false;
  seen_ = 0;
  for (;;) {
    if (!pending_) {
      auto more = next_line();
      if (!more) return more;
      record.too_large = record.too_large || skipped_;
      if (!*more) break;
    }
    if (!pending_ && begins_another()) {
      pending_ = true;
      return true;
    }
    pending_ = false;
    // A missing bracket would swallow the rest of the file, so the next field that can occur only once ends it.
    if (in_field_ && once_bit(field_start(line_).name) != 0) {
      record.open_field = true;
      in_field_ = false;
      if (begins_another()) {
        pending_ = true;
        return true;
      }
    }
    take_line(record);
  }
  record.open_field = record.open_field || in_field_;
  return !record.fields.empty();
}

}  // namespace rondo::esac
