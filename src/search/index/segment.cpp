#include "search/index/segment.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "search/index/onset_places.h"

namespace rondo::index {
namespace {

Error damaged_segment(std::string what) {
  return Error{"index-damaged", std::move(what), {}, "make it anew with 'rondo index --rebuild'"};
}

/// The sections of a segment by kind, each checked against its sum.
class Sections {
 public:
  [[nodiscard]] Result<void> read(std::span<const std::byte> bytes, const SegmentHeader& header) {
    std::size_t at = sizeof header;
    // A table of thousands that all name the whole file would take long to verify.
    if (header.sections > kMostSections) return fail(damaged_segment("there are too many sections"));
    for (std::uint32_t i = 0; i < header.sections; ++i, at += sizeof(Section)) {
      if (bytes.size() - at < sizeof(Section)) return fail(damaged_segment("the table of sections is cut off"));
      Section section{};
      std::memcpy(&section, bytes.data() + at, sizeof section);
      if (section.offset > bytes.size() || section.length > bytes.size() - section.offset || section.offset % 8 != 0) {
        return fail(damaged_segment("a section lies outside of the file"));
      }
      const auto content = bytes.subspan(section.offset, section.length);
      if (XXH3_64bits(content.data(), content.size()) != section.checksum) {
        return fail(damaged_segment("a checksum does not fit"));
      }
      if (!found_.emplace(section.kind, content).second) return fail(damaged_segment("a section is there twice"));
    }
    return {};
  }

  template <typename T>
  void get(SectionKind kind, std::span<const T>& out) const {
    const auto found = found_.find(kind);
    if (found == found_.end()) return;
    // Sections begin at multiples of eight in a block that does, too.
    out = {reinterpret_cast<const T*>(found->second.data()), found->second.size() / sizeof(T)};  // NOLINT
  }

  /// False: it has not so many documents.
  [[nodiscard]] bool get(SectionKind kind, std::uint32_t documents, PackedColumn& out) const {
    std::span<const std::byte> bytes;
    get(kind, bytes);
    const auto column = PackedColumn::of(bytes, documents);
    if (column) out = *column;
    return column.has_value();
  }

 private:
  static constexpr std::uint32_t kMostSections = 64;
  std::map<SectionKind, std::span<const std::byte>> found_;
};

template <typename Exception>
const Exception* find_exception(std::span<const Exception> all, std::uint64_t note) {
  const auto found = std::lower_bound(all.begin(), all.end(), note,
                                      [](const Exception& e, std::uint64_t wanted) { return e.note < wanted; });
  return found == all.end() || found->note != note ? nullptr : &*found;
}

}  // namespace

Result<Segment> Segment::open(std::span<const std::byte> bytes) {
  Segment segment;
  if (auto done = segment.read(bytes); !done) return fail(done.error());
  return segment;
}

Result<void> Segment::read(std::span<const std::byte> bytes) {
  SegmentHeader header{};
  if (bytes.size() < sizeof header) return fail(damaged_segment("it is cut off"));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kSegmentMagic, sizeof header.magic) != 0)
    return fail(damaged_segment("it is no segment"));
  if (header.version != kSegmentVersion) {
    return fail("index-version", "the index was made by another version of Rondo", {},
                "make it anew with 'rondo index --rebuild'");
  }
  Sections sections;
  if (auto done = sections.read(bytes, header); !done) return done;
  if (header.documents >= std::numeric_limits<std::uint32_t>::max()) return fail(damaged_segment("it is too large"));
  documents_ = static_cast<std::uint32_t>(header.documents);
  notes_ = header.notes;
  bytes_ = bytes.size();
  first_voice_ = header.first_voice;
  first_piece_ = header.first_piece;
  sections.get(SectionKind::runs, stored_);
  runs_ = stored_;
  sections.get(SectionKind::pieces, pieces_);
  sections.get(SectionKind::numbers, numbers_);
  sections.get(SectionKind::pitches, pitches_);
  sections.get(SectionKind::pitch_exceptions, pitch_exceptions_);
  sections.get(SectionKind::times, times_);
  sections.get(SectionKind::beats, beats_);
  sections.get(SectionKind::structure_codes, structure_codes_);
  sections.get(SectionKind::structures, structures_);
  sections.get(SectionKind::structure_starts, structure_starts_);
  sections.get(SectionKind::time_exceptions, time_exceptions_);
  sections.get(SectionKind::frames, frames_);
  const bool columns = sections.get(SectionKind::voices, documents_, voices_) &&
                       sections.get(SectionKind::id_order, documents_, id_order_) &&
                       sections.get(SectionKind::frame_numbers, documents_, frame_numbers_);
  sections.get(SectionKind::bar_lists, bar_lists_);
  sections.get(SectionKind::bar_times, bar_times_);
  sections.get(SectionKind::three_counts_keys, three_count_keys_);
  sections.get(SectionKind::three_counts, three_counts_);
  const auto get_lists = [&](SectionKind first, Lists& lists) {
    const auto kind = [&](std::uint32_t after) {
      return static_cast<SectionKind>(static_cast<std::uint32_t>(first) + after);
    };
    sections.get(kind(0), lists.keys);
    sections.get(kind(1), lists.offsets);
    sections.get(kind(2), lists.sizes);
    sections.get(kind(3), lists.bytes);
    lists.documents = documents_;
  };
  get_lists(SectionKind::three_keys, three_);
  get_lists(SectionKind::four_keys, four_);
  get_lists(SectionKind::rhythm_keys, rhythm_);
  std::span<const PitchCode> pitch_codes;
  std::span<const TimeCode> time_codes;
  sections.get(SectionKind::pitch_codes, pitch_codes);
  sections.get(SectionKind::time_codes, time_codes);
  if (pitch_codes.size() > kException || time_codes.size() > kException ||
      structure_codes_.size() > kStructureException || !columns || !consistent()) {
    return fail(damaged_segment("its parts do not fit together"));
  }
  pitch_table_.assign(256, PitchCode{60, 0});
  time_table_.assign(256, TimeCode{{0, 1}, {1, 4}});
  std::copy(pitch_codes.begin(), pitch_codes.end(), pitch_table_.begin());
  std::copy(time_codes.begin(), time_codes.end(), time_table_.begin());
  if (!valid_values()) return fail(damaged_segment("it holds values that cannot be"));
  for (const PitchCode& code : pitch_table_) midi_table_.push_back(code.midi);
  for (const TimeCode& code : time_table_) {
    duration_table_.push_back(to_float(code.duration));
    ticks_table_.push_back(ticks_of(code));
  }
  order_durations(time_codes.size());
  lay_out_times();
  return {};
}

void Segment::lay_out_times() {
  constexpr std::size_t kMostGrids = 64;
  std::vector<std::uint32_t> grids;
  times_of_frame_.assign(frames_.size(), kNoTimes);
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const std::uint32_t grid = frames_[f].grid;
    const auto found = std::find(grids.begin(), grids.end(), grid);
    if (found == grids.end()) {
      if (grids.size() == kMostGrids) continue;
      grids.push_back(grid);
      std::array<GridTime, 256>& times = times_on_grids_.emplace_back();
      for (std::size_t code = 0; code < times.size(); ++code) {
        const TimeCode& time = time_table_[code];
        // Not all are whole on every grid; no document has such a one.
        if (grid % time.gap.den != 0 || grid % time.duration.den != 0) continue;
        times[code] = {time.gap.num * (grid / time.gap.den), time.duration.num * (grid / time.duration.den)};
      }
      times_of_frame_[f] = static_cast<std::uint8_t>(grids.size() - 1);
    } else {
      times_of_frame_[f] = static_cast<std::uint8_t>(found - grids.begin());
    }
  }
}

void Segment::order_durations(std::size_t codes) {
  const auto duration = [&](std::size_t code) {
    return Fraction(time_table_[code].duration.num, time_table_[code].duration.den);
  };
  std::vector<std::size_t> order(codes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return duration(a) < duration(b); });
  duration_order_.assign(256, kNoOrder);
  std::int16_t number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && duration(order[i]) != duration(order[i - 1])) ++number;
    duration_order_[order[i]] = number;
  }
}

Segment::Ticks Segment::ticks_of(const TimeCode& time) {
  const auto fits = [](const Rational& r) {
    return r.den > 0 && kTicks % r.den == 0 && std::abs(r.num) < kMostTicks / kTicks;
  };
  if (!fits(time.gap) || !fits(time.duration)) return {};
  return {static_cast<std::int32_t>(time.gap.num * (kTicks / time.gap.den)),
          static_cast<std::int32_t>(time.duration.num * (kTicks / time.duration.den))};
}

bool Segment::ticks(const Notes& notes, std::int32_t* onset, std::int32_t* duration) const {
  std::int64_t end = 0;
  bool fits = true;
  bool near = true;
  for (std::uint32_t i = 0; i < notes.count; ++i) {
    const std::uint8_t code = times_[notes.first + i];
    const Ticks time = code == kException ? ticks_of(time_exception(notes.first + i)) : ticks_table_[code];
    fits &= time.duration > 0;
    onset[i] = static_cast<std::int32_t>(end + time.gap);
    duration[i] = time.duration;
    end += time.gap + time.duration;
    // Onsets that far apart would not tell anything.
    near &= std::abs(end) <= kMostTicks;
  }
  return fits && near;
}

bool Segment::consistent() const {
  const std::size_t d = documents_;
  if (pieces_.size() != d || numbers_.size() != d || pitches_.size() != notes_ || times_.size() != notes_) return false;
  for (DocumentId document = 0; document < d; ++document) {
    if (frame_numbers_[document] >= frames_.size()) return false;
  }
  if (beats_.size() != notes_ || structure_starts_.size() != (d + kStructureStride - 1) / kStructureStride)
    return false;
  if (std::any_of(structure_starts_.begin(), structure_starts_.end(),
                  [&](std::uint64_t start) { return start > structures_.size(); })) {
    return false;
  }
  if (d > 0 && (runs_.empty() || runs_[0].first_document != 0)) return false;
  std::uint64_t note = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::uint64_t documents = std::uint64_t{run_end(r)} - runs_[r].first_document;
    if (runs_[r].first_document > run_end(r) || run_end(r) > d || runs_[r].first_note != note) return false;
    note += documents * runs_[r].notes;
  }
  if (note != notes_) return false;
  if (!three_.consistent() || !four_.consistent() || !rhythm_.consistent()) return false;
  if (three_counts_.size() != three_count_keys_.size() || bar_lists_.empty()) return false;
  return std::is_sorted(bar_lists_.begin(), bar_lists_.end()) && bar_lists_.back() <= bar_times_.size() &&
         std::all_of(frames_.begin(), frames_.end(),
                     [&](const Frame& frame) { return std::size_t{frame.bars} + 1 < bar_lists_.size(); });
}

Segment Segment::opening(std::uint32_t notes) const {
  Segment out = *this;
  auto shown = std::make_shared<std::vector<Run>>(runs_.begin(), runs_.end());
  for (Run& run : *shown) run.notes = std::min(run.notes, notes);
  out.runs_ = *shown;
  out.shown_ = std::move(shown);
  return out;
}

void Segment::keep_findings() { findings_ = std::make_shared<Findings>(); }

const OnsetPlaces* Segment::onset_places() const {
  return findings_ == nullptr ? nullptr : findings_->onset_places.get(*this);
}

std::size_t Segment::run_number(DocumentId document) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), document,
                                      [](DocumentId d, const Run& run) { return d < run.first_document; });
  return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

Segment::Notes Segment::notes_of(DocumentId document) const {
  const std::size_t r = run_number(document);
  const Run& run = stored_[r];
  return {run.first_note + std::uint64_t{document - run.first_document} * run.notes, runs_[r].notes};
}

Segment::Chains::Chains(const Segment& segment, DocumentId first)
    : at_(segment.structures_.data() + segment.structure_starts_[first / kStructureStride]),
      end_(segment.structures_.data() + segment.structures_.size()) {
  for (std::uint32_t skipped = first % kStructureStride; skipped > 0; --skipped) (void)next();
}

void Segment::notes_of(std::span<const DocumentId> ascending, std::vector<Notes>& out) const {
  out.clear();
  std::size_t r = runs_.size();
  for (const DocumentId d : ascending) {
    if (r == runs_.size()) r = run_number(d);
    while (d >= run_end(r)) ++r;
    const Run& run = stored_[r];
    out.push_back({run.first_note + std::uint64_t{d - run.first_document} * run.notes, runs_[r].notes});
  }
}

std::vector<DocumentId> Segment::documents_of(PieceKey piece) const {
  std::vector<DocumentId> out;
  const std::int64_t offset = static_cast<std::int64_t>(piece) - first_piece_;
  if (offset < 0 || offset > std::numeric_limits<std::uint32_t>::max()) return out;
  const auto wanted = static_cast<std::uint32_t>(offset);
  for (auto at = pieces_.begin(); (at = std::find(at, pieces_.end(), wanted)) != pieces_.end(); ++at) {
    out.push_back(static_cast<DocumentId>(at - pieces_.begin()));
  }
  return out;
}

PitchCode Segment::pitch_exception(std::uint64_t note) const {
  const PitchException* found = find_exception(pitch_exceptions_, note);
  return found == nullptr ? pitch_table_[kException] : found->value;
}

TimeCode Segment::time_exception(std::uint64_t note) const {
  const TimeException* found = find_exception(time_exceptions_, note);
  return found == nullptr ? time_table_[kException] : found->value;
}

void Segment::line(DocumentId document, Line& line) const {
  const std::size_t run = run_number(document);
  const Run& stored = stored_[run];
  const Notes notes{stored.first_note + std::uint64_t{document - stored.first_document} * stored.notes,
                    runs_[run].notes};
  const std::size_t frame_number = frame_numbers_[document];
  const std::int64_t grid = frames_[frame_number].grid;
  line.ticks_per_whole = grid;
  line.pitch.resize(notes.count);
  line.base40.resize(notes.count);
  line.onset.resize(notes.count);
  line.duration.resize(notes.count);
  const auto ticks = [&](const Rational& time) { return time.num * (grid / time.den); };
  const std::uint8_t which = times_of_frame_[frame_number];
  const GridTime* const times = which == kNoTimes ? nullptr : times_on_grids_[which].data();
  std::int64_t end = 0;
  for (std::uint32_t i = 0; i < notes.count; ++i) {
    const std::uint64_t note = notes.first + i;
    const std::uint8_t code = pitches_[note];
    const PitchCode pitch = code == kException ? pitch_exception(note) : pitch_table_[code];
    GridTime on_grid;
    if (times != nullptr && times_[note] != kException) {
      on_grid = times[times_[note]];
    } else {
      const TimeCode time = times_[note] == kException ? time_exception(note) : time_table_[times_[note]];
      on_grid = {ticks(time.gap), ticks(time.duration)};
    }
    line.pitch[i] = pitch.midi;
    line.base40[i] = pitch.base40;
    line.onset[i] = end + on_grid.gap;
    line.duration[i] = on_grid.duration;
    end = line.onset[i] + line.duration[i];
  }
  const std::uint32_t list = frames_[frame_number].bars;
  line.bars.clear();
  for (std::uint32_t b = bar_lists_[list]; b < bar_lists_[list + 1]; ++b) line.bars.push_back(ticks(bar_times_[b]));
  // On the grid of what is left, as make_line has it.
  if (cut_run(run)) to_least_grid(line);
}

Postings Segment::Lists::find(std::uint64_t window, std::uint32_t times) const {
  const std::uint64_t key = window * kTimes + times - 1;
  const auto found = std::lower_bound(keys.begin(), keys.end(), key);
  if (found == keys.end() || *found != key) return {};
  const auto i = static_cast<std::size_t>(found - keys.begin());
  return {bytes.data() + offsets[i], bytes.data() + offsets[i + 1], sizes[i], is_dense(sizes[i], documents)};
}

bool Segment::Lists::consistent() const {
  if (offsets.size() != keys.size() + 1 || sizes.size() != keys.size()) return false;
  if (!std::is_sorted(offsets.begin(), offsets.end()) || offsets.back() > bytes.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (is_dense(sizes[i], documents) && offsets[i + 1] - offsets[i] < dense_bytes(documents)) return false;
  }
  return true;
}

}  // namespace rondo::index
