// Tunes the weights of an alignment of notes on the tune families of MTC-ANN, folds over families, with unrelated
// melodies and altered queries. g++ -O3 -march=native -std=c++20 tune.cpp -o tune
//
//   tune MELODIES --measure FILE                     figures of these weights
//   tune MELODIES --ablate FILE [--more FILE]        and without each feature; or with the changes of each line
//   tune MELODIES --seconds N --seed S --out FILE    tunes; writes the weights for all folds together
//        [--start FILE] [--fix NAME,NAME,...]        from these weights; leave these alone
//        [--transpositions N] [--sparse N]           transpositions tried; of N unrelated melodies one

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "lanes.h"
#include "score.h"

using namespace tune;

namespace {

constexpr int kFolds = 5;
constexpr int kGroups = kFolds + 1;
constexpr int kCandidates = 3;

struct Setting {
  const char* name;
  float start, low, high, step;
};
const Setting kSettings[kNames] = {
    {"semitone", -0.2F, -2, 0.5F, 0.15F},
    {"whole-tone", 0.2F, -2, 0.5F, 0.15F},
    {"third", 0.2F, -2, 0.5F, 0.15F},
    {"fourth-fifth", -0.2F, -2, 0.5F, 0.15F},
    {"octave", 0.2F, -2, 0.9F, 0.15F},
    {"other", -0.2F, -2, 0.5F, 0.15F},
    {"length", 0.56F, 0, 2, 0.15F},
    {"length-cap", 2, 0.2F, 4, 0.5F},
    {"change", 0.16F, 0, 2, 0.1F},
    {"change-cap", 2, 0.2F, 4, 0.5F},
    {"place", 0.8F, 0, 4, 0.3F},
    {"after", 0.16F, 0, 1, 0.1F},
    {"rare", 0, 0, 2, 0.15F},
    {"worth-length", 0, 0, 1, 0.15F},
    {"gap", 0.7F, 0.05F, 3, 0.2F},
    {"gap-length", 0.9F, 0, 1, 0.15F},
    {"start", 0.9F, 0, 4, 0.3F},
    {"end", 0.9F, 0, 4, 0.3F},
    {"tempo", 0, 0, 2, 0.2F},
    {"worth-mode", 0, 0, 1, 0},
};

struct RawNote {
  int pitch, onset, duration;
};
struct Raw {
  int family = 0, phrase = 0;
  std::vector<RawNote> notes;
};

// ---- melodies and their cuts

struct Pool {
  std::vector<Note> notes;
  std::vector<Cut> cuts;
  std::vector<int> fold;  ///< of each family

  int add(std::vector<RawNote> raw, int family, int source, bool rhythm = true) {
    if (raw.size() > kMostNotes) raw.resize(kMostNotes);
    const int first = static_cast<int>(notes.size());
    const int n = static_cast<int>(raw.size());
    std::vector<float> length(n);
    for (int i = 0; i < n; ++i) {
      const int gap = i + 1 < n ? raw[i + 1].onset - raw[i].onset : raw[i].duration;
      length[i] = std::log2(static_cast<float>(std::max(1, gap)));
    }
    const float span = static_cast<float>(std::max(1, raw[n - 1].onset - raw[0].onset));
    const float mean = n > 1 ? std::log2(span / static_cast<float>(n - 1)) : length[0];
    const float all = static_cast<float>(std::max(1, raw[n - 1].onset - raw[0].onset));
    for (int i = 0; i < n; ++i) {
      Note note{};
      note.pitch = static_cast<short>(raw[i].pitch);
      note.length = std::max(-2.F, std::min(2.F, length[i] - mean));
      note.change = i > 0 ? std::max(-2.F, std::min(2.F, length[i] - length[i - 1])) : 0;
      note.place = static_cast<float>(raw[i].onset - raw[0].onset) / all;
      note.before = static_cast<signed char>(i > 0 ? raw[i].pitch - raw[i - 1].pitch : kNoInterval);
      note.after = static_cast<signed char>(i + 1 < n ? raw[i + 1].pitch - raw[i].pitch : kNoInterval);
      note.repeated = note.before == 0;
      note.rhythm = rhythm;
      notes.push_back(note);
    }
    // Phrases end with a note at least 0.9 octaves longer than the mean, not before the fifth note of one.
    for (int begin = 0; begin < n;) {
      int end = begin + 4;
      while (end < n && notes[first + end].length < 0.9F) ++end;
      end = std::min(n, end + 1);
      for (int i = begin; i < end; ++i) {
        notes[first + i].phrase = static_cast<float>(i - begin) / static_cast<float>(std::max(1, end - begin - 1));
      }
      begin = end;
    }
    cuts.push_back({first, n, family, source, family > 0 ? fold[family] : 0});
    return static_cast<int>(cuts.size()) - 1;
  }
};

using Notes = std::vector<RawNote>;
Notes part(const Notes& notes, std::size_t from, std::size_t count) {
  from = std::min(from, notes.size());
  count = std::min(count, notes.size() - from);
  return Notes(notes.begin() + from, notes.begin() + from + count);
}

/// The least random generator whose numbers are the same everywhere.
struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
  float share() { return static_cast<float>(engine() >> 8) / 16777216.F; }
  float normal() {
    float sum = -6;
    for (int i = 0; i < 12; ++i) sum += share();
    return sum;
  }
};

void restart(Notes& notes, const std::vector<int>& gaps) {
  int at = 0;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    notes[i].onset = at;
    notes[i].duration = std::min(notes[i].duration, gaps[i]);
    at += gaps[i];
  }
}
std::vector<int> gaps_of(const Notes& notes) {
  std::vector<int> gaps;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    gaps.push_back(std::max(1, i + 1 < notes.size() ? notes[i + 1].onset - notes[i].onset : notes[i].duration));
  }
  return gaps;
}

Notes ornament(Notes notes, Random& random) {
  Notes out;
  for (const RawNote& note : notes) {
    if (note.duration < 60 || random.share() > 0.25F) {
      out.push_back(note);
      continue;
    }
    const int parts = 2 + random.below(2);
    const int away = random.below(2) == 0 ? 2 : -2;
    for (int k = 0; k < parts; ++k) {
      out.push_back({note.pitch + (k == 1 ? away : 0), note.onset + note.duration * k / parts, note.duration / parts});
    }
  }
  return out;
}
Notes other_rhythm(Notes notes, Random& random) {
  std::vector<int> gaps = gaps_of(notes);
  for (std::size_t i = 0; i + 1 < gaps.size(); i += 2) {
    if (gaps[i] == gaps[i + 1] && random.share() < 0.6F) {
      gaps[i + 1] = gaps[i] / 2;
      gaps[i] += gaps[i + 1];
    }
  }
  restart(notes, gaps);
  return notes;
}
Notes other_metre(Notes notes, Random& random) {
  std::vector<int> gaps = gaps_of(notes);
  for (std::size_t i = static_cast<std::size_t>(random.below(2)); i < gaps.size(); i += 2) gaps[i] *= 2;
  for (std::size_t i = 0; i < gaps.size(); ++i) notes[i].duration = gaps[i];
  restart(notes, gaps);
  return notes;
}
Notes octave_break(Notes notes, Random& random) {
  const std::size_t from = 2 + static_cast<std::size_t>(random.below(static_cast<int>(notes.size())));
  const int by = random.below(2) == 0 ? 12 : -12;
  for (std::size_t i = from; i < notes.size(); ++i) notes[i].pitch += by;
  return notes;
}
Notes wrong_notes(Notes notes, int count, Random& random) {
  for (int k = 0; k < count; ++k) {
    const int by = 1 + random.below(4);
    notes[static_cast<std::size_t>(random.below(static_cast<int>(notes.size())))].pitch += random.below(2) ? by : -by;
  }
  return notes;
}
Notes left_out(Notes notes, Random& random) {
  Notes out;
  for (const RawNote& note : notes) {
    if (random.share() > 0.15F || out.empty()) out.push_back(note);
  }
  return out;
}
Notes variant(Notes notes, Random& random) {
  for (int k = 0; k < 3; ++k) {
    switch (random.below(8)) {
      case 0: notes = ornament(notes, random); break;
      case 1: notes = other_rhythm(notes, random); break;
      case 2: notes = other_metre(notes, random); break;
      case 3: notes = part(notes, 1 + static_cast<std::size_t>(random.below(2)), notes.size()); break;
      case 4: notes = part(notes, 0, notes.size() - notes.size() / 4); break;
      case 5: notes = octave_break(notes, random); break;
      case 6: notes = wrong_notes(notes, 2, random); break;
      default: notes = left_out(notes, random);
    }
  }
  return notes;
}

// ---- tasks

struct Task {
  std::string name;
  float weight = 0;
  bool own = false;  ///< what is sought is the melody the query comes from, not its family
  std::vector<int> queries, documents;
  // Made of these:
  std::vector<std::pair<int, int>> relevant;  ///< query (place in the list), document
  std::vector<std::vector<Batch>> queued;     ///< of each query: what it is compared with
  std::vector<std::vector<std::size_t>> of_query;
  std::vector<int> above;  ///< of each relevant: documents above in each group, ties a half; doubled
};

class Bench {
 public:
  /// `sparse`: of so many unrelated melodies one is taken.
  Bench(const std::vector<Raw>& raws, unsigned seed, int sparse) : sparse_(sparse) {
    int families = 0;
    for (const Raw& raw : raws) families = std::max(families, raw.family);
    pool_.fold.assign(families + 1, 0);
    std::vector<int> order;
    for (int f = 1; f <= families; ++f) order.push_back(f);
    Random shuffle(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[shuffle.below(static_cast<int>(i))]);
    for (std::size_t i = 0; i < order.size(); ++i) pool_.fold[order[i]] = 1 + static_cast<int>(i) % kFolds;
    make_tasks(raws, seed);
    for (Task& task : tasks_) {
      for (std::size_t q = 0; q < task.queries.size(); ++q) {
        const Cut& query = pool_.cuts[task.queries[q]];
        for (std::size_t d = 0; d < task.documents.size(); ++d) {
          const Cut& document = pool_.cuts[task.documents[d]];
          const bool same = query.source == document.source;
          if (task.own ? same && document.count >= wanted_ : query.family == document.family && !same) {
            task.relevant.push_back({static_cast<int>(q), static_cast<int>(d)});
          }
        }
      }
    }
    rarity(raws);
    upload();
  }

  /// Mean of the (reciprocal or average) precision of each task: [task][0]: all; [f]: trained without fold f;
  /// [kFolds + f]: fold f, tested.
  struct Figures {
    std::vector<std::vector<float>> of;
    std::vector<float> whole = std::vector<float>(2 * kFolds + 1);
  };

  Figures measure(const std::vector<float>& values, int used = kCandidates) {
    Weights w = weights_;
    for (int i = 0; i < kNames; ++i) w.value[i] = values[i];
    Figures out;
    run(w, used);
    float all = 0;
    for (Task& task : tasks_) {
      out.of.push_back(figures(task));
      all += task.weight;
    }
    for (std::size_t k = 0; k < out.whole.size(); ++k) {
      for (std::size_t t = 0; t < tasks_.size(); ++t) out.whole[k] += out.of[t][k] * tasks_[t].weight / all;
    }
    return out;
  }
  /// Keeps of the unrelated melodies only those that come nearest to each query, so that measuring takes less time.
  void mine(const std::vector<float>& values, std::size_t nearest) {
    mining_ = nearest;
    measure(values, 1);
    mining_ = 0;
  }
  const std::vector<Task>& tasks() const { return tasks_; }

 private:
  static constexpr int kFragment = 6;
  int sparse_ = 1;
  std::size_t mining_ = 0;
  int wanted_ = 7;  // a fragment of six notes is not what a query for its melody seeks

  void make_tasks(const std::vector<Raw>& raws, unsigned seed) {
    Random random(seed + 1);
    std::vector<int> whole, phrase, twenty, others_twenty, others_whole, first12, quiet, variants, middle, quiet_middle,
        fragments, first8, quiet12, wrong4;
    for (int s = 0; s < static_cast<int>(raws.size()); ++s) {
      const Raw& raw = raws[s];
      const Notes& notes = raw.notes;
      if (raw.family == 0) {
        if (s % sparse_ == 0) others_twenty.push_back(pool_.add(part(notes, 0, 20), 0, s));
        if (s % (sparse_ * 5) == 0) others_whole.push_back(pool_.add(notes, 0, s));
        continue;
      }
      const int f = raw.family;
      whole.push_back(pool_.add(notes, f, s));
      phrase.push_back(pool_.add(part(notes, 0, raw.phrase), f, s));
      twenty.push_back(pool_.add(part(notes, 0, 20), f, s));
      quiet.push_back(pool_.add(part(notes, 0, 20), f, s, false));
      first12.push_back(pool_.add(part(notes, 0, 12), f, s));
      quiet12.push_back(pool_.add(part(notes, 0, 12), f, s, false));
      first8.push_back(pool_.add(part(notes, 0, 8), f, s));
      variants.push_back(pool_.add(variant(part(notes, 0, 20), random), f, s));
      wrong4.push_back(pool_.add(wrong_notes(part(notes, 0, 20), 4, random), f, s));
      const std::size_t from = 5 + static_cast<std::size_t>(random.below(static_cast<int>(notes.size()) - 20));
      const Notes excerpt = wrong_notes(part(notes, from, 14), 2, random);
      middle.push_back(pool_.add(left_out(excerpt, random), f, s));
      quiet_middle.push_back(pool_.add(excerpt, f, s, false));
      for (int k = 0; k < 2; ++k) {
        const int at = k == 0 ? random.below(14) : random.below(static_cast<int>(notes.size()) - kFragment);
        fragments.push_back(pool_.add(part(notes, static_cast<std::size_t>(at), kFragment), f, s));
      }
    }
    const auto join = [](std::vector<int> a, const std::vector<int>& b) {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    };
    // Every second query is enough where melodies seek themselves.
    const auto some = [](const std::vector<int>& of) {
      std::vector<int> out;
      for (std::size_t i = 0; i < of.size(); i += 2) out.push_back(of[i]);
      return out;
    };
    const std::vector<int> library = join(whole, others_whole);
    const std::vector<int> incipits = join(twenty, others_twenty);
    tasks_.push_back({"whole", 3, false, whole, whole});
    tasks_.push_back({"phrase", 3, false, phrase, phrase});
    tasks_.push_back({"twenty", 3, false, twenty, twenty});
    tasks_.push_back({"twenty+8000", 4, false, twenty, incipits});
    tasks_.push_back({"12-in-whole", 1, false, first12, library});
    tasks_.push_back({"quiet-twenty", 1, false, some(quiet), twenty});
    tasks_.push_back({"8-own", 1, true, some(first8), library});
    tasks_.push_back({"middle-own", 2, true, some(middle), library});
    tasks_.push_back({"quiet-middle-own", 1, true, some(quiet_middle), library});
    tasks_.push_back({"variant-own", 1, true, some(variants), incipits});
    tasks_.push_back({"wrong4-own", 1, true, some(wrong4), incipits});
    tasks_.push_back({"six", 2, true, twenty, join(whole, fragments)});
  }

  /// Interval sizes by how rare they are among the unrelated melodies.
  void rarity(const std::vector<Raw>& raws) {
    double count[32] = {}, all = 0;
    for (const Raw& raw : raws) {
      for (std::size_t i = 1; raw.family == 0 && i < raw.notes.size(); ++i, ++all) {
        count[std::min(31, std::abs(raw.notes[i].pitch - raw.notes[i - 1].pitch))] += 1;
      }
    }
    for (int k = 0; k < 32; ++k) {
      const double ways = k == 0 ? 1 : 2;
      weights_.rare[k] = static_cast<float>(std::min(1.0, -std::log2((count[k] / ways + 1) / all) / 10));
    }
  }

  void upload() {
    for (Task& task : tasks_) {
      std::vector<int> all(task.documents.size());
      for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<int>(d);
      task.queued.resize(task.queries.size());
      task.of_query.resize(task.queries.size());
      for (std::size_t q = 0; q < task.queries.size(); ++q) pack(task, q, all);
      for (std::size_t r = 0; r < task.relevant.size(); ++r) task.of_query[task.relevant[r].first].push_back(r);
      task.above.resize(task.relevant.size() * kGroups);
    }
  }

  void pack(Task& task, std::size_t q, std::vector<int> documents) {
    std::sort(documents.begin(), documents.end(), [&](int a, int b) {
      const int m = pool_.cuts[task.documents[a]].count, n = pool_.cuts[task.documents[b]].count;
      return m != n ? m < n : a < b;
    });
    task.queued[q].clear();
    const Cut& query = pool_.cuts[task.queries[q]];
    for (std::size_t from = 0; from < documents.size(); from += kLanes) {
      Batch batch;
      for (std::size_t lane = 0; lane < kLanes && from + lane < documents.size(); ++lane) {
        const int d = documents[from + lane];
        const Cut& c = pool_.cuts[task.documents[d]];
        signed char found[kCandidates];
        candidates<kCandidates>(&pool_.notes[query.first], query.count, &pool_.notes[c.first], c.count, found);
        batch.add(d, &pool_.notes[c.first], c.count, found, kCandidates);
      }
      batch.settle(pool_.notes.data(), pool_.cuts, task.documents);
      task.queued[q].push_back(std::move(batch));
    }
  }

  void run(const Weights& w, int used) {
    for (Task& task : tasks_) {
      std::fill(task.above.begin(), task.above.end(), 0);
      std::vector<float> scores(task.documents.size());
      std::vector<int> seen;
      for (std::size_t q = 0; q < task.queries.size(); ++q) {
        const Cut& query = pool_.cuts[task.queries[q]];
        seen.clear();
        for (const Batch& batch : task.queued[q]) {
          float best[kLanes];
          batch.align(&pool_.notes[query.first], query.count, w, used, best);
          for (std::size_t lane = 0; lane < batch.document.size(); ++lane) {
            scores[batch.document[lane]] = best[lane];
            seen.push_back(batch.document[lane]);
          }
        }
        for (const std::size_t r : task.of_query[q]) {
          const int own = task.relevant[r].second;
          const int own_source = pool_.cuts[task.documents[own]].source;
          for (const int d : seen) {
            const Cut& c = pool_.cuts[task.documents[d]];
            if (d == own || (c.source == query.source && own_source != query.source)) continue;
            task.above[r * kGroups + c.group] += scores[d] > scores[own] ? 2 : scores[d] == scores[own] ? 1 : 0;
          }
        }
        if (mining_ > 0) {
          // All melodies of families, and of the others those that come nearest.
          std::vector<int> keep, others;
          for (const int d : seen) (pool_.cuts[task.documents[d]].group > 0 ? keep : others).push_back(d);
          std::sort(others.begin(), others.end(), [&](int a, int b) { return scores[a] > scores[b]; });
          if (others.size() > mining_) others.resize(mining_);
          keep.insert(keep.end(), others.begin(), others.end());
          pack(task, q, keep);
        }
      }
    }
  }

  std::vector<float> figures(const Task& task) const {
    std::vector<float> out;
    for (int k = 0; k <= 2 * kFolds; ++k) {
      double sum = 0;
      int count = 0;
      std::vector<double> ranks;
      for (std::size_t r = 0; r < task.relevant.size(); ++r) {
        const int q = task.relevant[r].first;
        const int group = pool_.cuts[task.queries[q]].group;
        const bool counts = k == 0 || (k <= kFolds ? group != k : group == k - kFolds);
        if (counts) {
          double rank = 1;
          for (int g = 0; g < kGroups; ++g) {
            if (k == 0 || k > kFolds || g != k) rank += task.above[r * kGroups + g] / 2.0;
          }
          ranks.push_back(rank);
        }
        if (r + 1 == task.relevant.size() || task.relevant[r + 1].first != q) {
          if (!ranks.empty()) {
            std::sort(ranks.begin(), ranks.end());
            double precision = 0;
            for (std::size_t i = 0; i < ranks.size(); ++i)
              precision += static_cast<double>(i + 1) / std::max<double>(ranks[i], i + 1);
            sum += precision / static_cast<double>(ranks.size());
            ++count;
          }
          ranks.clear();
        }
      }
      out.push_back(static_cast<float>(count > 0 ? sum / count : 0));
    }
    return out;
  }

  Pool pool_;
  std::vector<Task> tasks_;
  Weights weights_{};
};

// ---- the search for weights

std::vector<float> read_weights(const std::string& file) {
  std::vector<float> out;
  for (const Setting& s : kSettings) out.push_back(s.start);
  std::ifstream in(file);
  std::string name;
  float value = 0;
  while (in >> name >> value) {
    bool known = false;
    for (int i = 0; i < kNames; ++i) {
      if (name == kSettings[i].name) {
        out[i] = value;
        known = true;
      }
    }
    if (!known) std::cerr << "unknown weight " << name << "\n";
  }
  return out;
}

void print(const Bench& bench, const Bench::Figures& figures, int from, int count) {
  for (std::size_t t = 0; t < bench.tasks().size(); ++t) {
    std::printf("  %-18s", bench.tasks()[t].name.c_str());
    for (int k = from; k < from + count; ++k) std::printf(" %.3f", figures.of[t][k]);
    std::printf("\n");
  }
}

/// Weights that move together, so that the system needs few.
struct Tied {
  const char* name;
  std::vector<int> which;
};
const std::vector<Tied> kTied = {
    {"near", {kWhole, kThird}},
    {"far", {kSemitone, kFourthFifth, kOctave, kOther}},
    {"length", {kLength}},
    {"change", {kChange}},
    {"cap", {kLengthCap, kChangeCap}},
    {"place", {kPlace}},
    {"after", {kAfter}},
    {"rare", {kRare}},
    {"worth-length", {kWorthLength}},
    {"gap", {kGap}},
    {"gap-length", {kGapLength}},
    {"overhang", {kStart, kEnd}},
    {"tempo", {kTempo}},
};

struct Chain {
  std::vector<float> at;
  float reached = -1;
  std::vector<float> step;
  int accepted = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "tune MELODIES [--measure FILE] [--seconds N] [--seed S] [--start FILE] [--fix NAMES] [--out FILE]\n";
    return 2;
  }
  std::map<std::string, std::string> given;
  for (int i = 2; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  std::vector<Raw> raws;
  std::ifstream in(argv[1]);
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    Raw raw;
    std::size_t count = 0;
    numbers >> raw.family >> raw.phrase >> count;
    for (RawNote note{}; raw.notes.size() < count && numbers >> note.pitch >> note.onset >> note.duration;) {
      raw.notes.push_back(note);
    }
    if (!raw.notes.empty()) raws.push_back(raw);
  }
  const unsigned seed = given.count("--seed") ? static_cast<unsigned>(std::stoul(given["--seed"])) : 1;
  Bench bench(raws, 1, given.count("--sparse") ? std::stoi(given["--sparse"]) : 1);
  if (given.count("--measure")) {
    const auto weights = read_weights(given["--measure"]);
    if (given.count("--sparse")) bench.mine(weights, 60);
    for (int used = 1; used <= kCandidates; ++used) {
      const auto begin = std::chrono::steady_clock::now();
      const auto figures = bench.measure(weights, used);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      std::printf("%d transpositions: %.4f in %.3f s; each fold %.3f %.3f %.3f %.3f %.3f\n", used, figures.whole[0],
                  took.count(), figures.whole[6], figures.whole[7], figures.whole[8], figures.whole[9],
                  figures.whole[10]);
      print(bench, figures, 0, 1);
    }
    return 0;
  }
  if (given.count("--ablate")) {
    const auto weights = read_weights(given["--ablate"]);
    bench.mine(weights, 60);
    const auto show = [&](const std::string& what, const std::vector<float>& values, int used) {
      const auto figures = bench.measure(values, used);
      std::printf("%-60s %.4f  folds", what.c_str(), figures.whole[0]);
      for (int f = 1; f <= kFolds; ++f) std::printf(" %.3f", figures.whole[kFolds + f]);
      std::printf(" ");
      for (const auto& task : figures.of) std::printf(" %.3f", task[0]);
      std::printf("\n");
      std::fflush(stdout);
    };
    show("as it is", weights, 1);
    if (!given.count("--more")) show("two transpositions", weights, 2);
    for (const Tied& tied : kTied) {
      if (given.count("--more")) break;
      auto without = weights;
      for (const int each : tied.which) without[each] = 0;
      if (without != weights) show(std::string("without ") + tied.name, without, 1);
    }
    const auto with = [&](const std::string& what, std::vector<std::pair<int, float>> changes) {
      auto changed = weights;
      for (const auto& [which, value] : changes) changed[which] = value;
      show(what, changed, 1);
    };
    if (given.count("--more")) {
      std::ifstream more(given["--more"]);
      for (std::string line; std::getline(more, line);) {
        std::istringstream words(line);
        std::vector<std::pair<int, float>> changes;
        std::string name;
        for (float value = 0; words >> name >> value;) {
          for (int i = 0; i < kNames; ++i) {
            if (name == kSettings[i].name) changes.push_back({i, value});
          }
        }
        with(line, changes);
      }
    }
    return 0;
  }
  const double seconds = given.count("--seconds") ? std::stod(given["--seconds"]) : 60;
  std::vector<Tied> free;
  for (const Tied& tied : kTied) {
    if (("," + given["--fix"] + ",").find(std::string(",") + tied.name + ",") == std::string::npos)
      free.push_back(tied);
  }
  const int used = given.count("--transpositions") ? std::stoi(given["--transpositions"]) : 1;
  Random random(seed);
  std::vector<Chain> chains(kFolds + 1);
  auto start = read_weights(given["--start"]);
  for (const Tied& tied : kTied) {
    for (const int each : tied.which) start[each] = start[tied.which[0]];
  }
  bench.mine(start, 60);
  const auto first = bench.measure(start, used);
  for (int c = 0; c <= kFolds; ++c) {
    chains[c].at = start;
    chains[c].reached = first.whole[c];
    for (const Setting& s : kSettings) chains[c].step.push_back(s.step);
  }
  std::printf("start %.4f\n", first.whole[0]);
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  int tried = 0;
  for (; elapsed() < seconds; ++tried) {
    Chain& chain = chains[tried % (kFolds + 1)];
    std::vector<float> next = chain.at;
    std::vector<int> moved;
    const int moves = 1 + random.below(3);
    for (int k = 0; k < moves; ++k) {
      const Tied& tied = free[static_cast<std::size_t>(random.below(static_cast<int>(free.size())))];
      const int which = tied.which[0];
      moved.push_back(which);
      const float to = next[which] + random.normal() * chain.step[which];
      for (const int each : tied.which)
        next[each] = std::max(kSettings[which].low, std::min(kSettings[which].high, to));
    }
    const auto figures = bench.measure(next, used);
    // A proposal made for one fold is offered to all of them.
    for (int c = 0; c <= kFolds; ++c) {
      Chain& other = chains[c];
      if (figures.whole[c] > other.reached) {
        other.reached = figures.whole[c];
        other.at = next;
        ++other.accepted;
        if (&other == &chain) {
          for (const int which : moved)
            chain.step[which] = std::min(kSettings[which].step * 2, chain.step[which] * 1.3F);
        }
      } else if (&other == &chain) {
        for (const int which : moved)
          chain.step[which] = std::max(kSettings[which].step / 20, chain.step[which] * 0.96F);
      }
    }
    if (tried % 60 == 0) {
      std::printf("%6.0f s %6d tried: %.4f\n", elapsed(), tried, chains[0].reached);
      std::fflush(stdout);
    }
  }
  std::printf("%d tried\n%-14s", tried, "weight");
  for (int c = 0; c <= kFolds; ++c) std::printf(c == 0 ? "     all" : "  but %d ", c);
  std::printf("\n");
  for (int i = 0; i < kNames; ++i) {
    std::printf("%-14s", kSettings[i].name);
    for (const Chain& chain : chains) std::printf(" %7.3f", chain.at[i]);
    std::printf("\n");
  }
  std::printf("trained on all:\n");
  const auto all = bench.measure(chains[0].at, used);
  print(bench, all, 0, 1);
  // What was tuned without a fold, measured on that fold.
  std::printf("folds not seen (start, then tuned without that fold, each fold; mean):\n");
  std::vector<Bench::Figures> held;
  for (int f = 1; f <= kFolds; ++f) held.push_back(bench.measure(chains[f].at, used));
  for (std::size_t t = 0; t < bench.tasks().size(); ++t) {
    std::printf("  %-18s", bench.tasks()[t].name.c_str());
    float mean = 0;
    for (int f = 1; f <= kFolds; ++f) {
      std::printf("  %.3f>%.3f", first.of[t][kFolds + f], held[f - 1].of[t][kFolds + f]);
      mean += held[f - 1].of[t][kFolds + f] / kFolds;
    }
    std::printf("  %.3f\n", mean);
  }
  if (given.count("--out")) {
    std::ofstream out(given["--out"]);
    for (int i = 0; i < kNames; ++i) out << kSettings[i].name << " " << chains[0].at[i] << "\n";
  }
  return 0;
}
