#include "similarity/systems/gam.h"

#include <array>

#include "search/fast/bound_filter.h"
#include "search/index/structures.h"
#include "search/kernels/chain_align.h"

namespace rondo::fast {
namespace {

/// Costs in thousandths, rounded down: all but that of two forms of one kind are whole.
constexpr std::int64_t kFine = gam::kUnit / 1000;
constexpr std::int16_t in_thousandths(std::int64_t cost) { return static_cast<std::int16_t>(cost / kFine); }
static_assert(gam::kLabel % kFine == 0 && gam::kSize % kFine == 0 && gam::kDirection % kFine == 0 &&
              gam::kOverlap % kFine == 0);
// What the kernel wants of them.
static_assert(gam::kRetrospective < gam::kLabel && gam::kLabel < 2 * gam::kRetrospective);
static_assert(gam::kLabel + gam::kSize * index::kLongestStructure + 2 * gam::kDirection + 2 * gam::kOverlap <
              32'767 * kFine);

/// A structure as the kernel takes it.
struct Link {
  std::int16_t kind = 0;
  std::int16_t part[kernels::kChainParts] = {};
  std::uint16_t gap = 0;
  bool known = false;
};

/// In units of so many thousandths; what is not whole in them is rounded down.
Link link_of(const index::StructureCode& structure, std::int64_t gap, std::int64_t unit) {
  Link out;
  out.kind = static_cast<std::int16_t>(2 * structure.archetype + (structure.retrospective != 0 ? 1 : 0));
  out.known = out.kind < kernels::kChainKinds && structure.notes < index::kLongestStructure;
  if (!out.known) return out;
  // Differences of these are no greater than those of what they stand for.
  const auto times = [&](std::int64_t cost, std::int64_t number) {
    return static_cast<std::int16_t>(in_thousandths(cost) / unit * number);
  };
  out.part[kernels::kChainSize] = times(gam::kSize, structure.notes);
  out.part[kernels::kChainDirection] = times(gam::kDirection, structure.direction);
  out.part[kernels::kChainOverlap] = times(gam::kOverlap, structure.overlap);
  out.gap = static_cast<std::uint16_t>(std::min<std::int64_t>(gap * structure.notes / (kFine * unit), 65'535));
  return out;
}

struct LinkMaker {
  std::int64_t gap = 0;
  std::int64_t unit = 1;
  [[nodiscard]] Link operator()(const index::StructureCode& structure) const { return link_of(structure, gap, unit); }
};

/// The structures of documents that are shown in part. What decides a structure is its notes and the one after them. So
/// those in the index hold as far as that one is shown, and only the notes from where the next one begins are parsed.
class CutChains {
 public:
  /// `links`: by code.
  CutChains(const Segment& segment, std::span<const Link> links, const LinkMaker& make)
      : segment_(segment), links_(links), make_(make) {
    tail_.ticks_per_whole = Segment::kTicks;
    for (std::size_t code = 0; code < uncertain_.size(); ++code) {
      const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
      // Whether a shorter silence is a rest depends on the ticks of a line, which may be longer for what is shown.
      uncertain_[code] = ticks.duration == 0 || (ticks.gap > 0 && ticks.gap < Segment::kTicks / 64);
    }
  }

  /// `stored`: the codes of its structures as a whole. Valid until the next call.
  [[nodiscard]] std::span<const Link> of(DocumentId document, const Segment::Notes& notes,
                                         std::span<const std::uint8_t> stored) {
    chain_.clear();
    const std::span<const std::uint8_t> times = segment_.time_codes(notes);
    if (std::none_of(times.begin(), times.end(), [this](std::uint8_t code) { return uncertain_[code]; }) &&
        take_stored(notes, stored)) {
      return chain_;
    }
    chain_.clear();
    segment_.line(document, line_);
    add_parsed(line_);
    return chain_;
  }

 private:
  void add_parsed(const Line& line) {
    parse_structures(line, parsed_);
    for (const Structure& structure : parsed_) chain_.push_back(make_(index::code_of(structure)));
  }

  /// False: it cannot be told from them.
  [[nodiscard]] bool take_stored(const Segment::Notes& notes, std::span<const std::uint8_t> stored) {
    std::uint32_t at = 0;
    for (const std::uint8_t with_end : stored) {
      const std::uint8_t code = with_end % index::kLastStructure;
      if (code >= segment_.structure_codes().size()) return false;
      const index::StructureCode& structure = segment_.structure_codes()[code];
      if (structure.notes >= index::kLongestStructure) return false;
      const std::uint32_t end = at + structure.notes;
      if (end + 1 > notes.count) break;
      chain_.push_back(links_[code]);
      // A file may hold anything.
      if (structure.overlap < 0 || static_cast<std::uint32_t>(structure.overlap) >= structure.notes) return false;
      at = end - static_cast<std::uint32_t>(structure.overlap);
    }
    return add_tail({notes.first + at, notes.count - at});
  }

  [[nodiscard]] bool add_tail(const Segment::Notes& notes) {
    onset_.resize(notes.count);
    duration_.resize(notes.count);
    if (!segment_.ticks(notes, onset_.data(), duration_.data())) return false;
    tail_.onset.assign(onset_.begin(), onset_.end());
    tail_.duration.assign(duration_.begin(), duration_.end());
    tail_.pitch.resize(notes.count);
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      tail_.pitch[i] = static_cast<std::int16_t>(segment_.midi(notes.first + i));
    }
    add_parsed(tail_);
    return true;
  }

  const Segment& segment_;
  std::span<const Link> links_;
  LinkMaker make_;
  std::array<bool, 256> uncertain_{};
  std::vector<Link> chain_;
  Line line_;
  Line tail_;
  std::vector<std::int32_t> onset_;
  std::vector<std::int32_t> duration_;
  std::vector<Structure> parsed_;
};

/// For GAM: the structures of every document stand in the index, and all are aligned, many at a time.
class Chained final : public BoundFilter {
 public:
  Chained(std::span<const Structure> query, std::int64_t gap, std::int64_t unit, std::size_t shortest)
      : BoundFilter(shortest), gap_(gap), unit_(unit) {
    rows_.forms = static_cast<std::int16_t>(in_thousandths(gam::kRetrospective) / unit);
    rows_.kinds = static_cast<std::int16_t>(in_thousandths(gam::kLabel) / unit);
    for (const Structure& structure : query) {
      const Link link = link_of(index::code_of(structure), gap, unit);
      rows_.kind.push_back(link.kind);
      for (std::size_t p = 0; p < kernels::kChainParts; ++p) rows_.part[p].push_back(link.part[p]);
      rows_.gap.push_back(link.gap);
    }
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    Batch batch(rows_, unit_, bound);
    const LinkMaker make{gap_, unit_};
    std::array<Link, index::kLastStructure> links{};  // by code
    for (std::size_t c = 0; c < segment.structure_codes().size(); ++c) links[c] = make(segment.structure_codes()[c]);
    Segment::Chains chains(segment, begin);
    if (segment.cut(begin)) {
      CutChains cut(segment, links, make);
      const Segment::RunNotes run(segment, begin);
      for (DocumentId d = begin; d < end; ++d) {
        batch.add(d - begin, cut.of(d, run[d], chains.next()), [](const Link& link) -> const Link& { return link; });
      }
    } else {
      for (DocumentId d = begin; d < end; ++d) {
        batch.add(d - begin, chains.next(),
                  [&](std::uint8_t code) -> const Link& { return links[code % index::kLastStructure]; });
      }
    }
    batch.flush();
  }

 private:
  /// Documents in lanes, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const kernels::ChainRows& rows, std::int64_t unit, float* bound) : rows_(rows), unit_(unit), bound_(bound) {}

    /// `link_of` makes a Link of each element of the chain.
    template <typename Element, typename LinkOf>
    void add(std::size_t owner, std::span<const Element> chain, const LinkOf& link_of) {
      if (chain.empty() || chain.size() > kLongestInLanes) return;
      columns_.reach(chain.size());
      bool known = true;
      std::size_t at = used_;
      for (const Element& element : chain) {
        const Link& link = link_of(element);
        columns_.kind[at] = link.kind;
        for (std::size_t p = 0; p < kernels::kChainParts; ++p) columns_.part[p][at] = link.part[p];
        columns_.gap[at] = link.gap;
        known &= link.known;
        at += kernels::kBatch;
      }
      if (!known) return;
      columns_.length[used_] = static_cast<std::uint32_t>(chain.size());
      owner_[used_] = owner;
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      std::uint16_t cost[kernels::kBatch];
      kernels::chain_align(rows_, columns_, cost);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        bound_[owner_[lane]] = raised(-(static_cast<double>(cost[lane] * unit_) / 1000.0));
      }
      clear();
    }

   private:
    void clear() {
      used_ = 0;
      columns_.columns = 0;
      std::fill(std::begin(columns_.length), std::end(columns_.length), 0U);
    }
    const kernels::ChainRows& rows_;
    std::int64_t unit_;
    float* bound_;
    kernels::ChainColumns columns_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
  };

  std::int64_t gap_;
  std::int64_t unit_;
  kernels::ChainRows rows_;
};

}  // namespace

std::unique_ptr<Method> make_method(const GamPlan& plan, const Task& task) {
  constexpr std::size_t kShortest = 3;
  const std::int64_t gap = gam::gap_of(plan);
  if (gap < 0 || task.query.size() < kShortest) return nullptr;
  std::vector<Structure> structures;
  parse_structures(task.query, structures);
  const bool known = std::all_of(structures.begin(), structures.end(), [&](const Structure& structure) {
    return link_of(index::code_of(structure), gap, 1).known;
  });
  if (!known || structures.size() > kLongestInLanes) return nullptr;
  // Costs stop at 65,535 units. In coarser ones those of a long query stay below that, if it is all left out.
  std::int64_t notes = 0;
  for (const Structure& structure : structures) notes += structure.size();
  std::int64_t unit = 1;
  while (unit < 64 && gap * notes / (kFine * unit) > 40'000) unit *= 2;
  return std::make_unique<Chained>(structures, gap, unit, std::max(kShortest, task.shortest));
}

}  // namespace rondo::fast
