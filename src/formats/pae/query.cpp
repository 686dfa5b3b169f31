#include "formats/pae.h"
#include "formats/pae/record.h"
#include "formats/pae/signs.h"
#include "melody/limits.h"

namespace rondo {
namespace {

std::optional<pae::Record> first_record(std::string_view text) {
  pae::RecordLines lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    auto outcome = lines.feed(text.substr(0, end), ++number);
    if (outcome.done[0]) return std::move(outcome.done[0]);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines.finish();
}

/// A query as a record, in any container; bare notation is a record without a header.
Result<pae::Record> as_record(std::string_view text) {
  if (pae::is_json(text)) {
    auto record = pae::read_json_object(text, 1);
    return record ? std::move(record) : pae::read_json_object(text.substr(0, text.find('\n')), 1);
  }
  if (pae::read_field_line(text) || pae::is_single_line(text.substr(0, text.find_first_of("\r\n")))) {
    if (auto record = first_record(text)) return std::move(*record);
  }
  pae::Record record;
  record.line = 1;
  record.parts[pae::Record::kData] = {std::string(text), 1, 1};
  return record;
}

}  // namespace

Result<Voice> parse_pae_query(std::string_view text, Diagnostics& warnings) {
  text = pae::trimmed(text);
  if (text.size() > limits::kRecordBytes) return fail("pae-record-too-large", "a query of more than 4 MB");
  auto record = as_record(text);
  if (!record) return fail(std::move(record.error()));
  PaeOptions options;
  options.liberal = true;
  PaeParser parser;
  Voice voice;
  const std::size_t before = warnings.size();
  auto parsed = parser.parse(record->fields(), options, voice, warnings);
  for (std::size_t i = before; i < warnings.size(); ++i) record->locate(warnings[i].place);
  if (!parsed) {
    record->locate(parsed.error().place);
    return fail(std::move(parsed.error()));
  }
  voice.name = std::move(record->voice);
  return voice;
}

}  // namespace rondo
