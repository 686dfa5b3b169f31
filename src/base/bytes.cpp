#include <algorithm>
#include <cstring>

#include "base/streams.h"

namespace rondo {

Result<std::size_t> MemorySource::read(std::span<char> into) {
  const std::size_t count = std::min(into.size(), rest_.size());
  if (count != 0) std::memcpy(into.data(), rest_.data(), count);
  rest_.remove_prefix(count);
  return count;
}

Result<std::string_view> PeekedSource::head(std::size_t size) {
  while (head_.size() < size) {
    const std::size_t had = head_.size();
    head_.resize(size);
    auto got = inner_->read(std::span<char>(head_.data() + had, size - had));
    head_.resize(had + got.value_or(0));
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) break;
  }
  return std::string_view(head_);
}

Result<std::size_t> PeekedSource::read(std::span<char> into) {
  if (served_ < head_.size()) {
    const std::size_t count = std::min(into.size(), head_.size() - served_);
    std::memcpy(into.data(), head_.data() + served_, count);
    served_ += count;
    return count;
  }
  return inner_->read(into);
}

Result<std::string> read_all(ByteSource& source, std::size_t limit) {
  constexpr std::size_t kStep = std::size_t{64} * 1024;
  std::string all;
  for (;;) {
    const std::size_t had = all.size();
    // Reads one byte past the limit, to distinguish "exactly the limit" from "more".
    const std::size_t want = std::min(std::max(kStep, had), limit + 1 - had);
    all.resize(had + want);
    auto got = source.read(std::span<char>(all.data() + had, want));
    all.resize(had + got.value_or(0));
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return all;
    if (all.size() > limit) {
      return fail("too-large", "the input is larger than " + std::to_string(limit) + " bytes", {},
                  "split it into smaller files");
    }
  }
}

Result<bool> StreamWindow::fill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  constexpr std::size_t kStep = std::size_t{256} * 1024;
  if (buffer_.size() - end_ < kStep / 2) buffer_.resize(std::max(kStep, buffer_.size() * 2));
  auto got = source_.read(std::span<char>(buffer_.data() + end_, buffer_.size() - end_));
  if (!got) return fail(std::move(got.error()));
  end_ += *got;
  ended_ = *got == 0;
  return !ended_;
}

Result<bool> LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  bool too_long = false;
  for (;;) {
    if (skip_lf_ && begin_ < end_) {
      if (buffer_[begin_] == '\n') ++begin_;
      skip_lf_ = false;
    }
    const std::string_view rest = this->rest();
    const auto end = std::find_if(rest.begin() + static_cast<std::ptrdiff_t>(searched), rest.end(),
                                  [](char c) { return c == '\n' || c == '\r'; });
    if (end != rest.end()) {
      const auto at = static_cast<std::size_t>(end - rest.begin());
      line = rest.substr(0, at);
      too_long = too_long || at > max_line_;
      skip_lf_ = rest[at] == '\r';
      begin_ += at + 1;
      ++number_;
      break;
    }
    searched = rest.size();
    if (searched > max_line_) {
      // Drop what is there and go on to the end of the line, so that the next call starts afresh.
      too_long = true;
      begin_ = end_;
      searched = 0;
    }
    auto more = fill();
    if (!more) return fail(std::move(more.error()));
    if (!*more) {
      if (begin_ == end_ && !too_long) return false;
      line = this->rest();
      too_long = too_long || line.size() > max_line_;
      begin_ = end_;
      ++number_;
      break;
    }
  }
  if (too_long) {
    Place place;
    place.line = static_cast<std::uint32_t>(number_);
    return fail("line-too-long", "a line of more than " + std::to_string(max_line_) + " bytes", place);
  }
  return true;
}

}  // namespace rondo
