#include <array>

#include "cli/command.h"

namespace rondo::cli {
namespace {

constexpr std::array kCommands = {
    Command{"import", "read melodies into a collection", "rondo import data/demo --db out/demo.db", define_import},
    Command{"convert", "convert a file to another format, without a collection",
            "rondo convert data/demo/hymns.pae --as abc", define_convert},
    Command{"show", "show a melody, in any format", "rondo show white-cockade-1 --db out/demo.db --as abc",
            define_show},
    Command{"export", "export a collection or a selection of it",
            "rondo export --db out/demo.db --match cockade --format csv", define_export},
    Command{"systems", "list and explain the retrieval systems", "rondo systems shapeh", define_systems},
    Command{"index", "build or check the search index", "rondo index --db out/demo.db", define_index},
    Command{"search", "find melodies that resemble a melody", "rondo search --db out/demo.db --id white-cockade-1 -k 5",
            define_search},
    Command{"concordances", "find all melodies of a collection that are the same tune",
            "rondo concordances --db out/demo.db --min-score 0.5 --out out/concordances.html", define_concordances},
    Command{"run", "run a batch of queries and write TREC run files",
            "rondo run --db out/demo.db --queries data/demo --system shapeh,time -k 10 --out out/demo.run", define_run},
    Command{"compare", "compare two melodies with each system",
            "rondo compare \"'4CDEC\" \"'4DExF8ED\" --system shapeh", define_compare},
    Command{"features", "show the features of a melody", "rondo features white-cockade-1 --db out/demo.db",
            define_features},
    Command{"filter", "filter a collection step by step",
            "rondo filter --db out/demo.db --steps data/examples/white-cockade.steps", define_filter},
    Command{"candidates", "collect melodies to be judged against a query",
            "rondo candidates make cockade --db out/demo.db --steps data/examples/white-cockade.steps --system P2,P3",
            define_candidates},
    Command{"study", "run ranking experiments with participants", "rondo study status --db out/demo.db", define_study},
    Command{"truth", "make ground truths from studies or labels",
            "rondo truth from-labels --db out/demo.db --field family --as json > out/families.json", define_truth},
    Command{"evaluate", "evaluate runs against a truth",
            "rondo evaluate --truth out/families.json out/demo.shapeh.run out/demo.time.run --compare",
            define_evaluate},
    Command{"check", "check a collection for damage and repair it", "rondo check out/demo.db", define_check},
    Command{"backup", "copy a collection that is in use, and restore it", "rondo backup out/demo.db out/demo-copy.db",
            define_backup},
    Command{"serve", "start the web app and its API", "rondo serve --db out/demo.db", define_serve},
    Command{"generate", "generate realistic incipits for tests and benchmarks", "rondo generate --count 3 --seed 1",
            define_generate},
    Command{"bench", "run the benchmarks", "rondo bench pae", define_bench},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace rondo::cli
