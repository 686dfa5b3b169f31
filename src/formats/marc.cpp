#include <algorithm>

#include "base/streams.h"
#include "formats/marc/iso2709.h"
#include "formats/marc_record.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using marc::Iso2709Parser;

constexpr std::string_view kTooLarge = "record-too-large";

/// Splits a stream at the record terminators, in memory bounded by the largest record.
class RecordStream : private StreamWindow {
 public:
  using StreamWindow::StreamWindow;

  enum class Next : std::uint8_t { record, too_large, truncated, end };
  /// The bytes of the next record without its terminator, valid until the next call.
  [[nodiscard]] Result<Next> next(std::string_view& bytes);
};

Result<RecordStream::Next> RecordStream::next(std::string_view& bytes) {
  using namespace std::string_view_literals;
  std::size_t searched = 0;
  bool too_large = false;
  for (;;) {
    std::string_view rest = this->rest();
    if (searched == 0) {
      // Some programs put a line end between records, or an end-of-file mark at the very end.
      begin_ += std::min(rest.find_first_not_of("\r\n\t \0\x1A"sv), rest.size());
      rest = this->rest();
    }
    const std::size_t found = rest.find(Iso2709Parser::kRecordEnd, searched);
    if (found != std::string_view::npos) {
      bytes = rest.substr(0, found);
      begin_ += found + 1;
      return too_large || found > limits::kRecordBytes ? Next::too_large : Next::record;
    }
    searched = rest.size();
    if (searched > limits::kRecordBytes) {
      too_large = true;
      begin_ = end_;
      searched = 0;
    }
    auto more = fill();
    if (!more) return fail(std::move(more.error()));
    if (!*more) {
      const bool nothing = begin_ == end_ && !too_large;
      begin_ = end_;
      return nothing ? Next::end : Next::truncated;
    }
  }
}

}  // namespace

int recognise_marc(std::string_view head) {
  const std::size_t first = head.find_first_not_of("\r\n\t ");
  if (first == std::string_view::npos) return 0;
  head.remove_prefix(first);
  constexpr std::size_t kLeader = 24;
  std::size_t number = 0;
  if (head.size() < kLeader || !marc::read_digits(head.substr(0, 5), number)) return 0;
  const std::size_t directory_end = head.find(Iso2709Parser::kFieldEnd, kLeader);
  if (directory_end == std::string_view::npos) return 0;
  const bool base_fits = marc::read_digits(head.substr(12, 5), number) && number == directory_end + 1;
  const bool directory = head.substr(kLeader, directory_end - kLeader).find_first_of("\n{<") == std::string_view::npos;
  if (!directory) return 0;
  return base_fits ? 98 : 60;
}

Result<void> read_marc(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  RecordStream stream(in);
  Iso2709Parser parser;
  marc::PieceMaker maker("marc", options, sink);
  marc::Record record;
  Diagnostics remarks;
  std::size_t number = 0;
  const auto skip = [&](Diagnostic why) {
    why.place.file = options.file;
    why.place.record = record_id(options, number);
    return sink.skip(std::move(why));
  };
  for (;;) {
    std::string_view bytes;
    auto next = stream.next(bytes);
    if (!next) {
      next.error().place.file = options.file;
      return fail(std::move(next.error()));
    }
    if (*next == RecordStream::Next::end) break;
    ++number;
    if (*next == RecordStream::Next::too_large) {
      const std::string limit = std::to_string(limits::kRecordBytes);
      if (!skip({std::string(kTooLarge), "a record of more than " + limit + " bytes", {}, {}})) return {};
      continue;
    }
    if (*next == RecordStream::Next::truncated) {
      skip({"marc-truncated", "the file ends inside this record", {}, "the file may be cut off; fetch it again"});
      break;
    }
    remarks.clear();
    if (auto parsed = parser.parse(bytes, record, remarks); !parsed) {
      if (!skip(std::move(parsed.error()))) return {};
      continue;
    }
    if (!maker.deliver(record, number, remarks)) return {};
  }
  if (number == 0) {
    Place place;
    place.file = options.file;
    return fail("marc-no-records", "there is no MARC record in this file", std::move(place));
  }
  maker.finish();
  return {};
}

}  // namespace rondo
