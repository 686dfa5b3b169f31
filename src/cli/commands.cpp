#include <array>

#include "cli/command.h"

namespace rondo::cli {
namespace {

constexpr std::array kCommands = {
    Command{"import", "read melodies into a collection", "rondo import data/demo --db out/demo.db", define_import},
    Command{"convert", "a file from one format into another, without a collection",
            "rondo convert data/demo/hymns.pae --as abc", define_convert},
    Command{"show", "one melody, in any format", "rondo show white-cockade-1 --db out/demo.db --as abc", define_show},
    Command{"export", "a collection or a selection of it", "rondo export --db out/demo.db --match cockade --format csv",
            define_export},
    Command{"systems", "the retrieval systems, explained", "rondo systems shapeh", define_systems},
    Command{"index", "the index that makes search fast", "rondo index --db out/demo.db", define_index},
    Command{"search", "melodies that resemble a melody", "rondo search --db out/demo.db --id white-cockade-1 -k 5",
            define_search},
    Command{"concordances", "which melodies of a collection are the same tune",
            "rondo concordances --db out/demo.db --min-score 0.5 --out out/concordances.html", define_concordances},
    Command{"run", "a batch of queries as TREC run files",
            "rondo run --db out/demo.db --queries data/demo --system shapeh,time -k 10 --out out/demo.run", define_run},
    Command{"compare", "two melodies under each system", "rondo compare \"'4CDEC\" \"'4DExF8ED\" --system shapeh",
            define_compare},
    Command{"features", "features of a melody", "rondo features white-cockade-1 --db out/demo.db", define_features},
    Command{"filter", "a collection narrowed down step by step",
            "rondo filter --db out/demo.db --steps data/examples/white-cockade.steps", define_filter},
    Command{"candidates", "melodies to be judged against a query",
            "rondo candidates make cockade --db out/demo.db --steps data/examples/white-cockade.steps --system P2,P3",
            define_candidates},
    Command{"study", "ranking experiments with participants", "rondo study status --db out/demo.db", define_study},
    Command{"truth", "ground truths, made from studies or labels",
            "rondo truth from-labels --db out/demo.db --field family --as json > out/families.json", define_truth},
    Command{"evaluate", "measures of runs against a truth",
            "rondo evaluate --truth out/families.json out/demo.shapeh.run out/demo.time.run --compare",
            define_evaluate},
    Command{"check", "check a collection for damage and repair it", "rondo check out/demo.db", define_check},
    Command{"backup", "copy a collection that is in use, and restore it", "rondo backup out/demo.db out/demo-copy.db",
            define_backup},
    Command{"serve", "the web app and its API", "rondo serve --db out/demo.db", define_serve},
    Command{"generate", "realistic incipits for tests and benchmarks", "rondo generate --count 3 --seed 1",
            define_generate},
    Command{"bench", "the benchmarks", "rondo bench pae", define_bench},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace rondo::cli
