#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/line.h"
#include "rondo/store/collection.h"
#include "search/index/derived_data.h"
#include "search/index/layout.h"
#include "search/index/packed_column.h"
#include "search/index/postings.h"
#include "similarity/spline/grams.h"

namespace rondo::index {

/// Number of a document (a voice) within its segment. Documents are ordered by their number of notes.
using DocumentId = std::uint32_t;

class OnsetPlaces;

/// A part of an index: melodies and the posting lists of their windows. A non-owning, immutable view of bytes, so any
/// number of threads share it.
class Segment {
 public:
  /// Verifies every checksum and every value, so that even a malicious file cannot cause memory access out of bounds.
  /// Errors: `index-damaged`, `index-version`.
  [[nodiscard]] static Result<Segment> open(std::span<const std::byte> bytes);

  /// The same documents, each truncated to its first notes. The posting lists are still those of whole documents, so a
  /// list may contain a document whose window comes later; notes and runs are those of the truncated documents. Metric
  /// weights and structures, which are stored for whole documents only, are missing: see `cut`.
  [[nodiscard]] Segment opening(std::uint32_t notes) const;
  /// Whether this document is truncated.
  [[nodiscard]] bool cut(DocumentId d) const { return stored_.data() != runs_.data() && cut_run(run_number(d)); }
  [[nodiscard]] bool cut_run(std::size_t r) const { return stored_[r].notes != runs_[r].notes; }

  /// From now on the places of onsets, two bytes a note, are kept when they were first asked for.
  void keep_findings();
  /// Null: they are not kept. The first caller makes them, the others wait.
  [[nodiscard]] const OnsetPlaces* onset_places() const;

  /// What a search method derives from the whole documents: Value(segment), computed when it is asked for the second
  /// time, because many a program searches once, and kept as long as the segment. Null: not yet, or not kept at all.
  template <typename Value>
  [[nodiscard]] const Value* derived() const {
    return findings_ == nullptr ? nullptr : findings_->derived.template get<Value>([&] { return Value(whole()); });
  }

  [[nodiscard]] std::uint32_t size() const { return documents_; }
  [[nodiscard]] std::uint64_t notes() const { return notes_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  /// The runs of the whole documents.
  [[nodiscard]] std::span<const Run> stored_runs() const { return stored_; }
  /// One past the last document of run `r`.
  [[nodiscard]] DocumentId run_end(std::size_t r) const {
    return r + 1 < runs_.size() ? runs_[r + 1].first_document : documents_;
  }
  [[nodiscard]] std::size_t run_number(DocumentId document) const;

  [[nodiscard]] VoiceKey voice(DocumentId d) const { return VoiceKey{first_voice_ + pieces_[d] + voices_[d]}; }
  [[nodiscard]] PieceKey piece(DocumentId d) const { return PieceKey{first_piece_ + pieces_[d]}; }
  /// The voices of a piece, found by a linear scan: some tenths of a millisecond for a million.
  [[nodiscard]] std::vector<DocumentId> documents_of(PieceKey piece) const;
  [[nodiscard]] std::uint32_t voice_number(DocumentId d) const {
    return numbers_[d] & (alone(d) ? kWhole - 1U : kAlone - 1U);
  }
  /// The piece has no other voice.
  [[nodiscard]] bool alone(DocumentId d) const { return (numbers_[d] & kAlone) != 0; }
  /// The piece has no other voice, and this one's line has all of its notes.
  [[nodiscard]] bool whole(DocumentId d) const { return alone(d) && (numbers_[d] & kWhole) != 0; }
  /// Sort key: within this segment, it has the order of the ids of the pieces.
  [[nodiscard]] std::uint64_t id_order(DocumentId d) const { return std::uint64_t{pieces_[d]} + id_order_[d]; }

  /// The notes of a document as a range of the notes of the segment.
  struct Notes {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Notes notes_of(DocumentId document) const;
  /// The same for many documents in ascending order, faster than one by one because the runs are not searched for each.
  void notes_of(std::span<const DocumentId> ascending, std::vector<Notes>& out) const;
  /// The same for the documents of one run, from `begin` on.
  class RunNotes {
   public:
    RunNotes(const Segment& segment, DocumentId begin)
        : begin_(begin), first_(segment.notes_of(begin)), stride_(segment.stored_[segment.run_number(begin)].notes) {}
    [[nodiscard]] Notes operator[](DocumentId d) const {
      return {first_.first + std::uint64_t{d - begin_} * stride_, first_.count};
    }

   private:
    DocumentId begin_;
    Notes first_;
    std::uint32_t stride_;  ///< in a truncated view, more than the visible notes
  };
  /// Prefetches these notes: documents that are far apart in memory would each cause a cache miss.
  void announce_pitches(const Notes& notes) const { announce(pitches_.data() + notes.first, notes.count); }
  void announce_times(const Notes& notes) const { announce(times_.data() + notes.first, notes.count); }
  [[nodiscard]] int midi(std::uint64_t note) const {
    const std::uint8_t code = pitches_[note];
    return code == kException ? pitch_exception(note).midi : pitch_table_[code].midi;
  }
  [[nodiscard]] int base40(std::uint64_t note) const {
    const std::uint8_t code = pitches_[note];
    return code == kException ? pitch_exception(note).base40 : pitch_table_[code].base40;
  }
  [[nodiscard]] int base40_of_code(std::uint8_t code) const { return pitch_table_[code].base40; }
  /// Duration in whole notes, accurate enough for bounds.
  [[nodiscard]] float duration(std::uint64_t note) const {
    const std::uint8_t code = times_[note];
    return code == kException ? to_float(time_exception(note).duration) : duration_table_[code];
  }
  /// Rank of the duration: of two notes of this segment the one with the lower rank is shorter; equal ranks are equal
  /// durations. kNoOrder for the rare ones without a code.
  static constexpr std::int16_t kNoOrder = -1;
  [[nodiscard]] std::int16_t duration_order(std::uint64_t note) const { return duration_order_[times_[note]]; }
  /// The times of a document on a grid that fits nearly all music. False: a time does not fit.
  static constexpr std::int64_t kTicks = 20'160;
  static constexpr std::int64_t kMostTicks = std::int64_t{1} << 28;
  [[nodiscard]] bool ticks(const Notes& notes, std::int32_t* onset, std::int32_t* duration) const;
  /// The same by code: the times of each time code, and the codes of a document.
  struct Ticks {
    std::int32_t gap = 0;
    std::int32_t duration = 0;  ///< 0: does not fit, or there is no such code
  };
  [[nodiscard]] Ticks ticks_of_code(std::uint8_t code) const {
    return code == kException ? Ticks{} : ticks_table_[code];
  }
  [[nodiscard]] std::span<const std::uint8_t> time_codes(const Notes& notes) const {
    return times_.subspan(notes.first, notes.count);
  }
  [[nodiscard]] std::span<const std::uint8_t> pitch_codes(const Notes& notes) const {
    return pitches_.subspan(notes.first, notes.count);
  }
  /// Metric weights, 255 for the greatest; 0 in documents of more than kMaxNotesWithMetricWeight notes.
  [[nodiscard]] std::span<const std::uint8_t> beats(const Notes& notes) const {
    return beats_.subspan(notes.first, notes.count);
  }
  /// The structures of implication and realisation, document by document.
  class Chains {
   public:
    Chains(const Segment& segment, DocumentId first);
    /// Those of the next document as codes, with kLastStructure added to the last. Empty at the end.
    [[nodiscard]] std::span<const std::uint8_t> next() {
      const std::uint8_t* const first = at_;
      while (at_ != end_ && *at_ < kLastStructure) ++at_;
      if (at_ == end_) return {};
      return {first, ++at_};
    }

   private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
  };
  /// What the codes mean; not all 127 need to be there.
  [[nodiscard]] std::span<const StructureCode> structure_codes() const { return structure_codes_; }
  /// midi() and duration() by code; the value for kException is unspecified.
  [[nodiscard]] std::span<const std::int16_t> midi_by_code() const { return midi_table_; }
  [[nodiscard]] std::span<const float> duration_by_code() const { return duration_table_; }
  [[nodiscard]] bool has_pitch_exceptions() const { return !pitch_exceptions_.empty(); }
  [[nodiscard]] bool has_time_exceptions() const { return !time_exceptions_.empty(); }
  /// The grid of the document's line.
  [[nodiscard]] std::uint32_t ticks_per_whole(DocumentId d) const { return frame(d).grid; }
  /// Fills `line` as make_line made it, reusing its memory.
  void line(DocumentId document, Line& line) const;

  /// Windows of three notes, ascending, and how often each occurs.
  [[nodiscard]] std::span<const std::uint64_t> threes() const { return three_count_keys_; }
  [[nodiscard]] std::span<const std::uint64_t> three_counts() const { return three_counts_; }

  /// Posting lists by window, as stored in the segment.
  struct Lists {
    std::span<const std::uint64_t> keys;
    std::span<const std::uint64_t> offsets;
    std::span<const std::uint32_t> sizes;
    std::span<const std::uint8_t> bytes;
    std::uint32_t documents = 0;
    /// Documents that have this window at least `times` times (1 to kTimes); an empty list if there are none.
    [[nodiscard]] Postings find(std::uint64_t window, std::uint32_t times) const;
    [[nodiscard]] bool consistent() const;
    /// Whether every list has as many documents as it states, all of them within the segment.
    [[nodiscard]] bool valid() const;
  };
  [[nodiscard]] const Lists& three() const { return three_; }    ///< by spline::GramKey
  [[nodiscard]] const Lists& four() const { return four_; }      ///< by folded_window of grams.h
  [[nodiscard]] const Lists& rhythm() const { return rhythm_; }  ///< by rhythm_window of grams.h

 private:
  Segment() = default;
  /// The same documents, not truncated.
  [[nodiscard]] Segment whole() const {
    Segment out = *this;
    out.runs_ = stored_;
    return out;
  }
  [[nodiscard]] Result<void> read(std::span<const std::byte> bytes);
  [[nodiscard]] bool consistent() const;
  // In validate.cpp.
  [[nodiscard]] bool valid_values() const;
  [[nodiscard]] bool valid_runs() const;
  [[nodiscard]] bool valid_times() const;
  [[nodiscard]] bool valid_structures() const;
  [[nodiscard]] bool valid_counts() const;
  static void announce(const std::uint8_t* first, std::size_t bytes) {
    __builtin_prefetch(first);
    __builtin_prefetch(first + bytes - (bytes > 0 ? 1 : 0));
  }
  [[nodiscard]] static Ticks ticks_of(const TimeCode& time);
  void order_durations(std::size_t codes);
  void lay_out_times();
  [[nodiscard]] const Frame& frame(DocumentId d) const { return frames_[frame_numbers_[d]]; }
  [[nodiscard]] PitchCode pitch_exception(std::uint64_t note) const;
  [[nodiscard]] TimeCode time_exception(std::uint64_t note) const;
  [[nodiscard]] static float to_float(const Rational& r) {
    return static_cast<float>(static_cast<double>(r.num) / static_cast<double>(r.den));
  }

  std::uint32_t documents_ = 0;
  std::uint64_t notes_ = 0;
  std::size_t bytes_ = 0;
  std::int64_t first_voice_ = 0;
  std::int64_t first_piece_ = 0;
  std::span<const Run> stored_;                      ///< as stored
  std::span<const Run> runs_;                        ///< as visible; the same unless truncated
  std::shared_ptr<const std::vector<Run>> shown_{};  ///< keeps `runs_` of an opening
  /// Shared by all views of the segment.
  template <typename Value>
  struct MadeOnce {
    std::once_flag once;
    std::shared_ptr<const Value> made;
    template <typename... Of>
    const Value* get(const Of&... of) {
      std::call_once(once, [&] { made = std::make_shared<const Value>(of...); });
      return made.get();
    }
  };
  struct Findings {
    MadeOnce<OnsetPlaces> onset_places;
    DerivedData derived;
  };
  std::shared_ptr<Findings> findings_{};  ///< null: not kept
  PackedColumn voices_;
  std::span<const std::uint32_t> pieces_;
  std::span<const std::uint16_t> numbers_;
  PackedColumn id_order_;
  std::span<const std::uint8_t> pitches_;
  std::span<const PitchException> pitch_exceptions_;
  std::span<const std::uint8_t> times_;
  std::span<const std::uint8_t> beats_;
  std::span<const StructureCode> structure_codes_;
  std::span<const std::uint8_t> structures_;
  std::span<const std::uint64_t> structure_starts_;
  std::span<const TimeException> time_exceptions_;
  std::span<const Frame> frames_;
  PackedColumn frame_numbers_;
  std::span<const std::uint32_t> bar_lists_;
  std::span<const Rational> bar_times_;
  std::span<const std::uint64_t> three_count_keys_;
  std::span<const std::uint64_t> three_counts_;
  Lists three_;
  Lists four_;
  Lists rhythm_;
  // Padded to all 256 codes, so that any byte is a valid index.
  std::vector<PitchCode> pitch_table_;
  std::vector<std::int16_t> midi_table_;
  std::vector<TimeCode> time_table_;
  std::vector<float> duration_table_;
  std::vector<Ticks> ticks_table_;
  std::vector<std::int16_t> duration_order_;
  /// Times by code on the grids that documents have, the first few of them: `line` is asked for often, and divides
  /// for nobody else.
  struct GridTime {
    std::int64_t gap = 0;
    std::int64_t duration = 0;
  };
  std::vector<std::array<GridTime, 256>> times_on_grids_;
  static constexpr std::uint8_t kNoTimes = 255;
  std::vector<std::uint8_t> times_of_frame_;  ///< which of these; kNoTimes: none
};

}  // namespace rondo::index
