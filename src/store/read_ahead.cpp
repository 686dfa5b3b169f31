#include "store/read_ahead.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>

#include "base/streams.h"
#include "rondo/formats/open.h"

namespace rondo {
namespace {

struct Warning {
  Diagnostic what;
};
struct Skipped {
  Diagnostic why;
};
using Event = std::variant<Piece, Warning, Skipped>;
using Chunk = std::vector<Event>;

constexpr std::size_t kChunkEvents = 64;
constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;
constexpr std::size_t kChunks = 4;                          ///< waiting at most
constexpr std::size_t kSmallFile = std::size_t{16} << 10U;  ///< bytes; smaller ones are read without a thread

/// Approximate memory of a piece.
std::size_t weight(const Piece& piece) {
  std::size_t bytes = piece.source_text.size();
  for (const Voice& voice : piece.voices) bytes += voice.notes.size() * sizeof(Note);
  return bytes;
}

/// A bounded queue of chunks from the reader to the caller. A chunk has several events, because waking a thread costs
/// more than parsing a record.
class Channel {
 public:
  /// Blocks while the queue is full. false: the receiver has stopped.
  bool put(Chunk&& chunk) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return chunks_.size() < kChunks || stopped_; });
    if (stopped_) return false;
    chunks_.push_back(std::move(chunk));
    changed_.notify_all();
    return true;
  }
  /// Blocks until the next chunk; an empty one is the end.
  Chunk take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !chunks_.empty() || ended_; });
    if (chunks_.empty()) return {};
    Chunk chunk = std::move(chunks_.front());
    chunks_.pop_front();
    changed_.notify_all();
    return chunk;
  }
  void end() { set(ended_); }
  void stop() { set(stopped_); }

 private:
  void set(bool& flag) {
    const std::scoped_lock lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Chunk> chunks_;
  bool ended_ = false;
  bool stopped_ = false;
};

/// The reader's end of the channel.
class Ahead final : public PieceSink {
 public:
  explicit Ahead(Channel& channel) : channel_(channel) {}
  bool piece(Piece&& piece) override {
    bytes_ += weight(piece);
    return add(std::move(piece));
  }
  void warn(Diagnostic warning) override { add(Warning{std::move(warning)}); }
  bool skip(Diagnostic why) override { return add(Skipped{std::move(why)}); }

  bool flush() {
    if (wanted_ && !chunk_.empty()) wanted_ = channel_.put(std::move(chunk_));
    chunk_ = {};
    bytes_ = 0;
    return wanted_;
  }

 private:
  bool add(Event&& event) {
    chunk_.push_back(std::move(event));
    return chunk_.size() >= kChunkEvents || bytes_ >= kChunkBytes ? flush() : wanted_;
  }

  Channel& channel_;
  Chunk chunk_;
  std::size_t bytes_ = 0;
  bool wanted_ = true;
};

/// Forwards everything and stores whether the sink asked to stop.
class Direct final : public PieceSink {
 public:
  explicit Direct(PieceSink& sink) : sink_(sink) {}
  bool piece(Piece&& piece) override { return wanted_ = wanted_ && sink_.piece(std::move(piece)); }
  void warn(Diagnostic warning) override { sink_.warn(std::move(warning)); }
  bool skip(Diagnostic why) override { return wanted_ = wanted_ && sink_.skip(std::move(why)); }
  [[nodiscard]] bool wanted() const { return wanted_; }

 private:
  PieceSink& sink_;
  bool wanted_ = true;
};

bool deliver(Event&& event, PieceSink& sink) {
  if (auto* piece = std::get_if<Piece>(&event)) return sink.piece(std::move(*piece));
  if (auto* skipped = std::get_if<Skipped>(&event)) return sink.skip(std::move(skipped->why));
  if (auto* warning = std::get_if<Warning>(&event)) sink.warn(std::move(warning->what));
  return true;
}

}  // namespace

Result<const Format*> read_ahead(std::unique_ptr<ByteSource> source, const ReadOptions& options, PieceSink& sink) {
  // A thread costs more than a small file.
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  const auto head = peeked->head(kSmallFile);
  if (!head) return fail(head.error());
  const bool is_small = head->size() < kSmallFile;
  source = std::move(peeked);
  if (is_small) {
    Direct direct(sink);
    auto format = read_any(std::move(source), options, direct);
    if (!direct.wanted() && !format) return nullptr;
    return format;
  }
  Channel channel;
  Result<const Format*> format = nullptr;
  std::thread reader([&] {
    Ahead ahead(channel);
    format = read_any(std::move(source), options, ahead);
    ahead.flush();
    channel.end();
  });
  bool wanted = true;
  while (wanted) {
    Chunk chunk = channel.take();
    if (chunk.empty()) break;
    for (Event& event : chunk) {
      wanted = deliver(std::move(event), sink);
      if (!wanted) break;
    }
  }
  if (!wanted) channel.stop();
  reader.join();
  if (!wanted && !format) return nullptr;
  return format;
}

}  // namespace rondo
