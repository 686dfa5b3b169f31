#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/store/collection.h"

namespace rondo::concordances {

/// One melody (voice) that is compared.
struct Melody {
  PieceKey piece{};
  VoiceKey key{};
  std::uint32_t number = 0;  ///< of the voice within its piece, from 0
  std::uint32_t unit = 0;    ///< see MelodySet
  std::int16_t pitch = 0;    ///< of its first note
  bool second = false;       ///< of the second collection
  bool fresh = false;        ///< belongs to the new batch
};

/// Which pairs of melodies are asked for.
enum class Scope : std::uint8_t {
  all,      ///< any two
  fresh,    ///< at least one is new
  between,  ///< one of each collection
};

/// The melodies of one or two collections in little memory. Melodies that every score treats alike are one unit, which
/// is compared once: the same notes, in any key where the system is invariant. Units are ordered by their number of
/// notes, of equal ones by their first melody.
class MelodySet {
 public:
  struct Options {
    std::uint32_t least_notes = 2;
    bool fold = true;        ///< the same notes are one unit
    bool fold_keys = false;  ///< in any key
    unsigned threads = 1;    ///< for the melodies of a collection
  };

  /// Adds the melodies of a collection; `is_new` says for a voice whether it is fresh.
  [[nodiscard]] Result<void> add(Collection& collection, const Options& options, bool second,
                                 const std::function<bool(const StoredVoice&)>& is_new);
  /// One voice of it. Errors: those of unpacking.
  [[nodiscard]] Result<void> add(const StoredVoice& stored, const Options& options, bool second, bool is_new);
  /// To be called once, after the last `add`.
  void finish();

  [[nodiscard]] const std::vector<Melody>& melodies() const { return melodies_; }
  [[nodiscard]] std::size_t units() const { return notes_.size(); }
  [[nodiscard]] std::uint32_t notes(std::size_t unit) const { return notes_[unit]; }
  /// The melodies of a unit, in the order they were added.
  [[nodiscard]] std::span<const std::uint32_t> members(std::size_t unit) const {
    return {members_.data() + first_member_[unit], first_member_[unit + 1] - first_member_[unit]};
  }
  void line(std::size_t unit, Line& out) const;
  /// The unit of each melody, ascending: melodies from the shortest to the longest, of those the narrowest first.
  [[nodiscard]] std::uint32_t unit_at(std::size_t place) const { return melodies_[members_[place]].unit; }

  /// Whether there is a melody of one and a melody of the other (or two of the same unit) that the scope asks for.
  [[nodiscard]] bool wanted(Scope scope, std::size_t a, std::size_t b) const;
  [[nodiscard]] static bool wanted(Scope scope, const Melody& a, const Melody& b);
  /// Units that must be compared with every unit, so that all pairs of the scope are met; ascending.
  [[nodiscard]] std::vector<std::uint32_t> rows(Scope scope) const;

  [[nodiscard]] std::size_t too_short() const { return too_short_; }
  /// Equal for the same melodies, of which the same are new, wherever they are stored.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] std::int64_t last_voice() const { return last_voice_; }

 private:
  struct Kinds {
    bool first = false, second = false, fresh = false, old = false;
  };
  /// Voices in the order in which they were read. Each is heard by itself, on any thread, and then added.
  struct Batch {
    struct Read {
      VoiceKey key{};
      PieceKey piece{};
      std::uint32_t number = 0;
      bool is_new = false;
      std::size_t begin = 0;  ///< of its bytes
      // Filled in by `hear`.
      std::uint32_t notes = 0;
      std::int16_t pitch = 0;  ///< of its first note
      std::int32_t range = 0;
      std::uint64_t hash = 0;
      std::optional<Error> damaged{};
    };
    std::vector<Read> voices;
    std::string packed;

    void read(const StoredVoice& stored, bool is_new);
    void hear(const Options& options);
    [[nodiscard]] std::string_view bytes_of(std::size_t voice) const {
      const std::size_t end = voice + 1 < voices.size() ? voices[voice + 1].begin : packed.size();
      return std::string_view(packed).substr(voices[voice].begin, end - voices[voice].begin);
    }
  };
  /// Batches that threads have heard are added one after the other. Errors: those of unpacking.
  [[nodiscard]] Result<void> hear_and_add(std::vector<Batch>& batches, const Options& options, bool second);
  [[nodiscard]] Result<void> add(const Batch& batch, const Options& options, bool second);
  void mix(std::string_view bytes);

  std::vector<Melody> melodies_;
  std::string packed_;                      ///< of each unit its first melody
  std::vector<std::uint64_t> packed_at_;    ///< by unit, and the end
  std::vector<std::uint32_t> packed_size_;  ///< by unit
  std::vector<std::uint32_t> notes_;        ///< by unit
  std::vector<std::int32_t> range_;         ///< by unit, of its pitches; empty after `finish`
  std::vector<std::uint32_t> first_member_;
  std::vector<std::uint32_t> members_;
  std::vector<Kinds> kinds_;  ///< by unit
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
  std::size_t too_short_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325U;
  std::int64_t last_voice_ = 0;
};

}  // namespace rondo::concordances
