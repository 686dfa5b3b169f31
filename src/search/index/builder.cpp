#include "search/index/builder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "search/index/grams.h"
#include "search/index/packed_column.h"
#include "search/index/postings.h"
#include "search/index/structures.h"
#include "similarity/metric_weight.h"
#include "similarity/spline/grams.h"

namespace rondo::index {
namespace {

/// Gives the memory back, which assigning {} would not.
template <typename T>
void release(std::vector<T>& values) {
  std::vector<T>().swap(values);
}

Rational whole_notes(std::int64_t ticks, std::int64_t grid) {
  const std::int64_t divisor = std::gcd(ticks, grid);
  return {ticks / divisor, grid / divisor};
}

/// Collects sections behind each other, with room in front for the header and the table of sections.
class Assembly {
 public:
  /// About as many bytes will come: so that they need not be moved, which takes twice the memory.
  explicit Assembly(std::size_t bytes) { content_.reserve(content_.size() + bytes); }
  template <typename T>
  void add(SectionKind kind, std::span<const T> values) {
    sections_.push_back(
        {kind, 0, content_.size(), values.size_bytes(), XXH3_64bits(values.data(), values.size_bytes())});
    content_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());  // NOLINT: bytes of plain data
    content_.append((8 - content_.size() % 8) % 8, '\0');
  }
  template <typename T>
  void add(SectionKind kind, const std::vector<T>& values) {
    add(kind, std::span<const T>(values));
  }

  [[nodiscard]] std::string finish(SegmentHeader header) && {
    header.sections = static_cast<std::uint32_t>(sections_.size());
    std::memcpy(content_.data(), &header, sizeof header);
    std::memcpy(content_.data() + sizeof header, sections_.data(), std::min(sections_.size(), kRoom) * sizeof(Section));
    return std::move(content_);
  }

 private:
  static constexpr std::size_t kRoom = 48;  ///< sections; there are as many as kinds
  static_assert(static_cast<std::size_t>(SectionKind::structure_starts) <= kRoom);
  std::vector<Section> sections_;
  std::string content_ = std::string(sizeof(SegmentHeader) + kRoom * sizeof(Section), '\0');
};
static_assert(sizeof(SegmentHeader) % 8 == 0 && sizeof(Section) % 8 == 0);

/// Codes for the commonest values, as many as there are codes below that of exceptions, which stands for all others.
template <typename Value>
struct Codes {
  std::vector<Value> table;
  std::vector<std::uint8_t> code;  ///< by number

  explicit Codes(const Interner<Value>& interner, std::uint8_t exception = kException)
      : code(interner.values().size(), exception) {
    std::vector<std::uint32_t> order(interner.values().size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return interner.uses()[a] > interner.uses()[b]; });
    if (order.size() > exception) order.resize(exception);
    for (const std::uint32_t number : order) {
      code[number] = static_cast<std::uint8_t>(table.size());
      table.push_back(interner.values()[number]);
    }
  }
};

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};  // NOLINT: bytes
}

/// How much more than the least each is: only the order of these numbers counts.
std::vector<std::uint32_t> from_least(const std::vector<std::int64_t>& values) {
  const std::int64_t least = values.empty() ? 0 : *std::min_element(values.begin(), values.end());
  std::vector<std::uint32_t> out;
  out.reserve(values.size());
  for (const std::int64_t value : values) out.push_back(static_cast<std::uint32_t>(value - least));
  return out;
}

/// Lists of documents by gram, gathered with a counting sort: one pass to count, one to fill, one to write.
class PostingFamily {
 public:
  explicit PostingFamily(std::size_t grams) : begin_(grams + 1, 0) {}
  void count(std::uint32_t gram) { ++begin_[gram + 1]; }
  void start() {
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    next_.assign(begin_.begin(), begin_.end() - 1);
    entries_.resize(begin_.back());
  }
  void add(std::uint32_t gram, std::uint32_t document) { entries_[next_[gram]++] = document; }

  /// Documents come in ascending order, one as often as it has the window. `key_of` gives a number's identity.
  template <typename KeyOf>
  void write(Assembly& out, SectionKind first, std::size_t documents, const KeyOf& key_of) const {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> sizes;
    std::string bytes;
    std::vector<std::uint32_t> lists[kTimes];
    for (std::size_t gram = 0; gram + 1 < begin_.size(); ++gram) {
      for (auto& list : lists) list.clear();
      for (std::uint64_t i = begin_[gram]; i < begin_[gram + 1];) {
        const std::uint64_t start = i;
        while (i < begin_[gram + 1] && entries_[i] == entries_[start]) ++i;
        for (std::uint64_t times = 0; times < std::min<std::uint64_t>(i - start, kTimes); ++times) {
          lists[times].push_back(entries_[start]);
        }
      }
      for (std::uint32_t times = 0; times < kTimes && !lists[times].empty(); ++times) {
        keys.push_back(key_of(gram) * kTimes + times);
        offsets.push_back(bytes.size());
        sizes.push_back(static_cast<std::uint32_t>(lists[times].size()));
        write_list(lists[times], documents, bytes);
      }
    }
    offsets.push_back(bytes.size());
    const auto kind = [&](std::uint32_t after) {
      return static_cast<SectionKind>(static_cast<std::uint32_t>(first) + after);
    };
    out.add(kind(0), keys);
    out.add(kind(1), offsets);
    out.add(kind(2), sizes);
    out.add(kind(3), bytes_of(bytes));
  }
  [[nodiscard]] std::uint64_t occurrences(std::size_t gram) const { return begin_[gram + 1] - begin_[gram]; }

 private:
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint32_t> entries_;
};

spline::GramKey window3(std::span<const std::int16_t> pitch, std::size_t at) {
  return spline::key_of<3>(
      {static_cast<std::int16_t>(pitch[at + 1] - pitch[at]), static_cast<std::int16_t>(pitch[at + 2] - pitch[at])});
}

/// Numbers for windows that have 64-bit identities, in ascending order of those.
struct Numbering {
  NumberTable numbers;
  std::vector<std::uint64_t> keys;

  void see(std::uint64_t key) { (void)numbers[key]; }
  void settle() {
    keys.reserve(numbers.size());
    numbers.each([&](std::uint64_t key, std::uint32_t&) { keys.push_back(key); });
    std::sort(keys.begin(), keys.end());
    for (std::uint32_t i = 0; i < keys.size(); ++i) numbers[keys[i]] = i;
  }
};

/// The lists of one kind of window. `each_window(visit)` calls visit(key, document) for every window of every document,
/// documents ascending.
template <typename EachWindow>
void add_numbered(Assembly& out, SectionKind first, std::size_t documents, const EachWindow& each_window,
                  bool with_counts) {
  Numbering numbering;
  each_window([&](std::uint64_t key, std::uint32_t) { numbering.see(key); });
  numbering.settle();
  PostingFamily family(numbering.keys.size());
  each_window([&](std::uint64_t key, std::uint32_t) { family.count(numbering.numbers.at(key)); });
  family.start();
  each_window([&](std::uint64_t key, std::uint32_t d) { family.add(numbering.numbers.at(key), d); });
  if (with_counts) {
    std::vector<std::uint64_t> counts;
    for (std::size_t g = 0; g < numbering.keys.size(); ++g) counts.push_back(family.occurrences(g));
    out.add(SectionKind::three_counts_keys, numbering.keys);
    out.add(SectionKind::three_counts, counts);
  }
  family.write(out, first, documents, [&](std::size_t g) { return numbering.keys[g]; });
}

/// The lists of all kinds of windows, one kind after the other: the entries of one take as much memory as a third of
/// the whole index. `pitches_of(d)` and `ticks_of(d)` give the pitches and durations of document d.
template <typename PitchesOf, typename TicksOf>
void add_windows(Assembly& out, std::size_t documents, const PitchesOf& pitches_of, const TicksOf& ticks_of) {
  constexpr bool kWithCounts = true;
  const auto each_three = [&](const auto& visit) {
    for (std::uint32_t d = 0; d < documents; ++d) {
      const auto pitch = pitches_of(d);
      for (std::size_t i = 0; i + 3 <= pitch.size(); ++i) visit(window3(pitch, i), d);
    }
  };
  add_numbered(out, SectionKind::three_keys, documents, each_three, kWithCounts);

  const auto each_four = [&](const auto& visit) {
    for (std::uint32_t d = 0; d < documents; ++d) {
      const auto pitch = pitches_of(d);
      for (std::size_t i = 0; i + 4 <= pitch.size(); ++i) visit(folded_window(pitch, i), d);
    }
  };
  {
    PostingFamily fours(kFolded);
    each_four([&](std::uint32_t key, std::uint32_t) { fours.count(key); });
    fours.start();
    each_four([&](std::uint32_t key, std::uint32_t d) { fours.add(key, d); });
    fours.write(out, SectionKind::four_keys, documents, [](std::size_t g) { return std::uint64_t{g}; });
  }

  const auto each_rhythm = [&](const auto& visit) {
    for (std::uint32_t d = 0; d < documents; ++d) {
      const auto ticks = ticks_of(d);
      for (std::size_t i = 0; i + 4 <= ticks.size(); ++i) visit(rhythm_window(ticks, i), d);
    }
  };
  add_numbered(out, SectionKind::rhythm_keys, documents, each_rhythm, !kWithCounts);
}

}  // namespace

std::uint64_t hash_of(const PitchCode& value) {
  return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value.midi)) << 16U |
         static_cast<std::uint16_t>(value.base40);
}
std::uint64_t hash_of(const TimeCode& value) { return XXH3_64bits(&value, sizeof value); }
std::uint64_t hash_of(const StructureCode& value) { return XXH3_64bits(&value, sizeof value); }
std::uint64_t hash_of(const std::vector<Rational>& value) {
  return XXH3_64bits(value.data(), value.size() * sizeof(Rational));
}
static_assert(sizeof(TimeCode) == 32 && sizeof(StructureCode) == 8 && sizeof(Rational) == 16, "no bytes between");

void IdOrder::finish() { std::sort(places_.begin(), places_.end()); }

std::uint32_t IdOrder::of(std::int64_t piece) const {
  const auto found = std::lower_bound(places_.begin(), places_.end(), std::pair(piece, std::uint32_t{0}));
  return found == places_.end() || found->first != piece ? 0 : found->second;
}

bool has_every_note(const Line& line, const Voice& voice) {
  // On the finest grid times may have been rounded.
  if (line.ticks_per_whole >= kFinestGrid) return false;
  const auto is = [&](std::int64_t ticks, const Fraction& time) {
    return Fraction(ticks, line.ticks_per_whole) == time;
  };
  std::size_t i = 0;
  for (const Note& note : voice.notes) {
    if (note.grace || note.duration.is_zero()) continue;
    if (i == line.size() || line.pitch[i] != note.pitch.midi()) return false;
    if (!is(line.onset[i], note.onset) || !is(line.duration[i], note.duration)) return false;
    ++i;
  }
  return i == line.size();
}

Result<void> SegmentBuilder::add(VoiceKey voice, PieceKey piece, std::uint32_t number, const Line& line, bool whole) {
  if (documents_.size() == std::numeric_limits<std::uint32_t>::max() - 1) {
    return fail("index-too-large", "a segment holds at most four thousand million voices");
  }
  Document document{};
  document.voice = static_cast<std::int64_t>(voice);
  document.piece = static_cast<std::int64_t>(piece);
  document.first_note = pitches_.size();
  document.notes = static_cast<std::uint32_t>(line.size());
  document.grid = static_cast<std::uint32_t>(line.ticks_per_whole);
  document.number = static_cast<std::uint16_t>(number);
  document.whole = whole;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    pitches_.push_back(static_cast<std::uint16_t>(pitch_values_.number({line.pitch[i], line.base40[i]})));
    times_.push_back(time_values_.number(
        {whole_notes(line.onset[i] - end, line.ticks_per_whole), whole_notes(line.duration[i], line.ticks_per_whole)}));
    end = line.onset[i] + line.duration[i];
  }
  if (line.size() <= kMaxNotesWithMetricWeight) {
    for (const double weight : metric_weights(line.onset)) {
      beats_.push_back(beat_code(weight));
    }
  } else {
    beats_.resize(pitches_.size(), 0);
  }
  thread_local std::vector<Structure> chain;
  parse_structures(line, chain);
  document.first_structure = chains_.size();
  document.structures = static_cast<std::uint32_t>(chain.size());
  for (const Structure& s : chain) {
    chains_.push_back(static_cast<std::uint16_t>(structure_values_.number(code_of(s))));
  }
  std::vector<Rational> bars;
  bars.reserve(line.bars.size());
  for (const std::int64_t bar : line.bars) bars.push_back(whole_notes(bar, line.ticks_per_whole));
  document.bars = bar_values_.number(bars);
  documents_.push_back(document);
  return {};
}

std::string SegmentBuilder::finish(const IdOrder& id_order, const std::function<void(std::size_t)>& progress) {
  std::sort(documents_.begin(), documents_.end(), [](const Document& a, const Document& b) {
    return a.notes != b.notes ? a.notes < b.notes : a.voice < b.voice;
  });
  SegmentHeader header{};
  std::memcpy(header.magic, kSegmentMagic, sizeof header.magic);
  header.version = kSegmentVersion;
  header.documents = documents_.size();
  header.notes = pitches_.size();
  header.first_voice = documents_.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
  header.first_piece = header.first_voice;
  for (const Document& d : documents_) header.first_piece = std::min(header.first_piece, d.piece);
  const auto apart = [&](const Document& d) { return d.voice - (d.piece - header.first_piece); };
  for (const Document& d : documents_) header.first_voice = std::min(header.first_voice, apart(d));

  std::vector<std::int64_t> pieces_of_voices;
  pieces_of_voices.reserve(documents_.size());
  for (const Document& d : documents_) pieces_of_voices.push_back(d.piece);
  std::sort(pieces_of_voices.begin(), pieces_of_voices.end());
  const auto has_one_voice = [&](std::int64_t piece) {
    const auto first = std::lower_bound(pieces_of_voices.begin(), pieces_of_voices.end(), piece);
    return first + 1 == pieces_of_voices.end() || first[1] != piece;
  };

  const Codes<PitchCode> pitch_codes(pitch_values_);
  const Codes<TimeCode> time_codes(time_values_);
  const Codes<StructureCode> structure_codes(structure_values_, kStructureException);
  std::vector<Run> runs;
  std::vector<std::uint32_t> voices, pieces, frame_numbers;
  std::vector<std::int64_t> orders;
  std::vector<Frame> frames;
  NumberTable frame_table;
  std::vector<std::uint16_t> numbers;
  std::vector<std::uint8_t> pitches, times, beats, structures;
  std::vector<std::uint64_t> structure_starts;
  std::vector<PitchException> pitch_exceptions;
  std::vector<TimeException> time_exceptions;
  for (const Document& d : documents_) {
    if (runs.empty() || runs.back().notes != d.notes) {
      runs.push_back({d.notes, static_cast<std::uint32_t>(voices.size()), pitches.size()});
    }
    voices.push_back(static_cast<std::uint32_t>(apart(d) - header.first_voice));
    pieces.push_back(static_cast<std::uint32_t>(d.piece - header.first_piece));
    const bool alone = d.number < kWhole && has_one_voice(d.piece);
    numbers.push_back(static_cast<std::uint16_t>(d.number | (alone ? kAlone : 0) | (alone && d.whole ? kWhole : 0)));
    orders.push_back(std::int64_t{id_order.of(d.piece)} - (d.piece - header.first_piece));
    std::uint32_t& frame = frame_table[std::uint64_t{d.bars} << 32U | d.grid];
    if (frame == NumberTable::kNone) {
      frame = static_cast<std::uint32_t>(frames.size());
      frames.push_back({d.grid, d.bars});
    }
    frame_numbers.push_back(frame);
    for (std::uint64_t n = d.first_note; n < d.first_note + d.notes; ++n) {
      const PitchCode& pitch = pitch_values_.values()[pitches_[n]];
      if (pitch_codes.code[pitches_[n]] == kException) pitch_exceptions.push_back({pitches.size(), pitch, 0});
      pitches.push_back(pitch_codes.code[pitches_[n]]);
      if (time_codes.code[times_[n]] == kException) {
        time_exceptions.push_back({times.size(), time_values_.values()[times_[n]]});
      }
      times.push_back(time_codes.code[times_[n]]);
    }
    const auto own = beats_.begin() + static_cast<std::ptrdiff_t>(d.first_note);
    beats.insert(beats.end(), own, own + d.notes);
    if (structure_starts.size() * kStructureStride < voices.size()) structure_starts.push_back(structures.size());
    for (std::uint64_t s = d.first_structure; s < d.first_structure + d.structures; ++s) {
      structures.push_back(structure_codes.code[chains_[s]]);
    }
    if (d.structures == 0) structures.push_back(kStructureException);
    structures.back() |= kLastStructure;
    if (progress && voices.size() % 4096 == 0) progress(voices.size());
  }
  // Not needed any more, and the lists take much memory.
  release(beats_);
  release(chains_);
  release(pieces_of_voices);

  std::vector<std::uint32_t> bar_lists;
  std::vector<Rational> bar_times;
  for (const std::vector<Rational>& list : bar_values_.values()) {
    bar_lists.push_back(static_cast<std::uint32_t>(bar_times.size()));
    bar_times.insert(bar_times.end(), list.begin(), list.end());
  }
  bar_lists.push_back(static_cast<std::uint32_t>(bar_times.size()));

  constexpr std::size_t kBytesOfANote = 8;  // what all sections together take, as seen on incipits
  Assembly out(pitches_.size() * kBytesOfANote);
  out.add(SectionKind::runs, runs);
  out.add(SectionKind::voices, PackedColumn::pack(voices));
  out.add(SectionKind::pieces, pieces);
  out.add(SectionKind::numbers, numbers);
  out.add(SectionKind::id_order, PackedColumn::pack(from_least(orders)));
  out.add(SectionKind::pitches, pitches);
  out.add(SectionKind::pitch_codes, pitch_codes.table);
  out.add(SectionKind::pitch_exceptions, pitch_exceptions);
  out.add(SectionKind::times, times);
  out.add(SectionKind::time_codes, time_codes.table);
  out.add(SectionKind::time_exceptions, time_exceptions);
  out.add(SectionKind::frames, frames);
  out.add(SectionKind::frame_numbers, PackedColumn::pack(frame_numbers));
  out.add(SectionKind::bar_lists, bar_lists);
  out.add(SectionKind::bar_times, bar_times);
  out.add(SectionKind::beats, beats);
  out.add(SectionKind::structure_codes, structure_codes.table);
  out.add(SectionKind::structures, structures);
  out.add(SectionKind::structure_starts, structure_starts);
  for (auto* done : {&pitches, &times, &beats, &structures}) release(*done);
  for (auto* done : {&voices, &pieces, &frame_numbers}) release(*done);
  release(orders);
  std::vector<std::int16_t> midi;
  std::vector<std::int64_t> ticks;
  const auto pitches_of = [&](std::uint32_t d) {
    const Document& document = documents_[d];
    midi.resize(document.notes);
    for (std::uint32_t i = 0; i < document.notes; ++i) {
      midi[i] = pitch_values_.values()[pitches_[document.first_note + i]].midi;
    }
    return std::span<const std::int16_t>(midi);
  };
  const auto ticks_of = [&](std::uint32_t d) {
    const Document& document = documents_[d];
    ticks.resize(document.notes);
    for (std::uint32_t i = 0; i < document.notes; ++i) {
      const Rational& duration = time_values_.values()[times_[document.first_note + i]].duration;
      ticks[i] = duration.num * (document.grid / duration.den);
    }
    return std::span<const std::int64_t>(ticks);
  };
  add_windows(out, documents_.size(), pitches_of, ticks_of);
  return std::move(out).finish(header);
}

}  // namespace rondo::index
