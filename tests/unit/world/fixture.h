#pragma once

#include <sodium.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "search/candidates.h"
#include "study/access.h"
#include "study/studies.h"
#include "unit/world/model.h"
#include "unit/world/sim_disk.h"

/// What every world begins with: a small collection with sets of candidates, and a study that has begun. Made once, and
/// copied into each world.
namespace rondo::world {

/// The source of all random numbers of a world: those of libsodium, too.
class SimRandom {
 public:
  static statistics::Random& the() {
    static statistics::Random random(1);
    return random;
  }
  static void install() {
    static randombytes_implementation own = {
        [] { return "world"; },
        [] { return static_cast<std::uint32_t>(the().next()); },
        nullptr,
        nullptr,
        [](void* to, std::size_t size) {
          for (std::size_t i = 0; i < size; ++i)
            static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(the().next() >> 24U);
        },
        nullptr,
    };
    randombytes_set_implementation(&own);
  }
};

inline const std::array<std::string, 3> kSets = {"ZQset0", "ZQset1", "ZQset2"};
inline constexpr int kPieces = 16;
inline constexpr const char* kToken = "wet-paint-on-the-only-bench-of-the-park";

struct Fixture {
  Scratch folder;
  std::map<std::string, Piece> pieces;
  std::map<std::string, Piece> other_pieces;  ///< of another collection, other.db
  Durable durable;

  static const Fixture& the() {
    static const Fixture fixture;
    return fixture;
  }

  [[nodiscard]] std::filesystem::path db() const { return folder / "c.db"; }
  [[nodiscard]] std::filesystem::path other() const { return folder / "other.db"; }

 private:
  Fixture() {
    SimClock::the().begin();
    SimRandom::the() = statistics::Random(1);
    for (int i = 0; i < kPieces; ++i) pieces.emplace(piece(i).id, piece(i));
    for (int i = 0; i < kPieces; ++i) other_pieces.emplace(piece(i + 4).id, piece(i + 4, 3));
    fill(db(), pieces);
    fill(other(), other_pieces);
    make_study();
    SimClock::the().end();
  }

  static void fill(const std::filesystem::path& path, const std::map<std::string, Piece>& pieces) {
    Collection collection = test::open_collection(path);
    auto batch = test::must(collection.begin());
    for (const auto& [id, one] : pieces) test::must(collection.put(one));
    test::must(batch.commit());
    int number = 4;
    for (const std::string& name : kSets) {
      CandidateRecipe recipe;
      recipe.query = piece(number++).id;
      for (int i = 0; i < 4; ++i) recipe.include.push_back(piece(number++ % (kPieces - 4) + 4).id);
      test::must(save_candidates(collection, test::must(make_candidates(collection, name, recipe))));
    }
    test::must(CollectionSnapshot::open(collection));  // writes the index
  }

  void make_study() {
    Collection collection = test::open_collection(db());
    auto studies = test::must(study::Studies::open(db(), OpenMode::create));
    study::Settings settings;
    settings.name = "s0";
    settings.title = "The first study";
    settings.seed = 11;
    settings.ties = true;
    const Study made = test::must(study::make_study(collection, settings, {kSets[0], kSets[1], kSets[2]}));
    test::must(studies.add(made, "fixture"));
    study::Changes open;
    open.state = study::State::open;
    test::must(studies.change("s0", open, "fixture"));
    for (const auto& one : test::must(studies.invite("s0", std::vector<std::string>(6, "guest"), "fixture"))) {
      durable.codes[{"s0", one.number}] = one.code;
    }
    durable.studies["s0"] = test::must(studies.load("s0", true));
    // With the least work that libsodium allows: the world is not about the strength of the hash.
    std::array<char, crypto_pwhash_STRBYTES> hash{};
    if (crypto_pwhash_str(hash.data(), kToken, std::string_view(kToken).size(), crypto_pwhash_OPSLIMIT_MIN,
                          crypto_pwhash_MEMLIMIT_MIN) != 0) {
      throw std::runtime_error("no memory to hash the token");
    }
    test::must(studies.database().run("INSERT OR REPLACE INTO researcher (key, hash, made) VALUES (1, ?1, '')",
                                      std::string(hash.data())));
  }
};

}  // namespace rondo::world
