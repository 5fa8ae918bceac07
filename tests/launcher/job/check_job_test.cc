#include "launcher/job/check_job.h"

#include <gmock/gmock.h>

#include "launcher/job/job.h"
#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string checking(const std::string& text) {
  return refusal([&] {
    const ReadJob job = read(text);
    check(job.job, job.sources);
  });
}

TEST(CheckJob, TakesAJobWithSettingsThatFit) { EXPECT_EQ(checking(std::string(kSmallJob)), "accepted"); }

TEST(CheckJob, NamesTheSettingThatContradictsAnotherAndItsPlace) {
  const std::vector<std::tuple<std::string, std::string, std::string>> wrong = {
      {"parties = 3\n", "", "parties: it is missing"},
      {"parties = 3", "parties = 2", "small.toml:6:10: data.labels: 'rank 2': there is no such rank"},
      {"parties = 3", "parties = 3\nmaster = \"node0\"", "small.toml:3:10: master: "},
      {"\"columns\"", "\"columns 3,5\"", "2 numbers for 3 ranks"},
      {"\"rank 1\"", "\"none\"", "no rank holds edges, but layer 0"},
      {"\"rank 2\"", "\"none\"", "nothing to train on"},
      {"\"public\"", "\"none\"", "no node is trained on"},
      {"\"public\"", "\"public\"\nfiles = [\"a\", \"b\"]", "small.toml:8:9: data.files: 2 files for 3 ranks"},
      {"\"public\"", "\"public\"\nclasses = 1", "one class is nothing to tell apart"},
      {"\"columns\"", "\"rows\"\njoin = \"intersection\"", "data.join: the job splits nodes by rows"},
      {"[model]", "classes = 3\n[preprocessing]\ntargets = \"standardise\"\n[model]", "classes are not standardised"},
      {"[model]", "[preprocessing]\nfeatures = \"none\"\ncut = 3\n[model]", "it counts deviations of standardised"},
      {"[model]", "[preprocessing]\ncut = 3\n[ranges]\nfeatures = 2\n[model]", "3 is beyond ranges.features"},
      {"[model]", "[preprocessing]\ncut = 0.1\n[model]", "preprocessing.cut: "},
      {"[model]", "[preprocessing]\nfeatures = \"whole\"\n[model]", "accepted"},
      {"[model]", "[preprocessing]\nfeatures = \"whole\"\ncut = 3\n[model]", "it counts deviations of standardised"},
      {"[model]", "[preprocessing]\nfeatures = \"whole\"\nmissing = \"mean\"\n[model]",
       "preprocessing.missing: means fill standardised features only"},
      {"[model]", "[preprocessing]\nmissing = \"median\"\n[model]", "preprocessing.missing: "},
      {"[model]", "[preprocessing]\nmissing = \"mean\"\nfeatures = \"row-sum\"\n[model]",
       "preprocessing.missing: means fill standardised features only"},
      {"hidden = 16", "hidden = 16, outputs = 3 }\n[data.x]\n[y]\nz = {", "there is no such setting"},
      {"[model]", "classes = 3\n[model]\n", "accepted"},
      {"[model]\ngcn = { hidden = 16 }", "classes = 3\n[model]\ngcn = { hidden = 16, outputs = 2 }",
       "the last layer with weights has 2 outputs for 3 classes"},
      {"[model]\ngcn = { hidden = 16 }", "", "model: it has no layers"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 1 }, { kind = \"relu\" }]",
       "small.toml:9:51: model.layers[1].kind: the last layer must have weights"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"gcn\", outputs = 5, residual = true }]",
       "it adds the layer's 4 inputs to its 5 outputs"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gin\", outputs = 1, epsilon = -0.999 }]",
       "model.layers[0].epsilon: expected an epsilon of -1, or of -0.984375 to 16"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gin\", outputs = 1, epsilon = 17 }]", "epsilon"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 1 }, { kind = \"propagate\", steps = 2, restart = 0.9999 }]",
       "model.layers[1].restart: expected a restart of 0, or of 0.0009765625 to 0.984375"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gin\", outputs = 1, epsilon = -1 }]", "accepted"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 1, jump = true }]",
       "model.layers[0].jump: a jump reads the outputs of earlier layers; a layer with weights must come before"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"pool\" }, { kind = \"dense\", outputs = 4 }, "
       "{ kind = \"dense\", outputs = 1, jump = true }]",
       "model.layers[3].jump: a jump behind the pool would read rows of nodes beside rows of graphs"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"pool\" }, { kind = \"dense\", outputs = 4 }, { kind = \"dense\", outputs = 1, jump = true "
       "}]",
       "accepted"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"relu\", jump = true }]",
       "this kind of layer has no weights; take it out"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"gcn\", outputs = 5 }, "
       "{ kind = \"dense\", outputs = 4, jump = true, residual = true }]",
       "it adds the layer's 9 inputs to its 4 outputs"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"layer-norm\" }, { kind = \"relu\" }, "
       "{ kind = \"gcn\", outputs = 5 }, { kind = \"dense\", outputs = 1, jump = true }]",
       "accepted"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"layer-norm\" }, { kind = \"gcn\", outputs = 1 }]",
       "model.layers[0].kind: a layer norm normalises rows of two columns and more"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 1 }, { kind = \"layer-norm\" }, { kind = \"gcn\", outputs = 1 }]",
       "model.layers[1].kind: a layer norm normalises rows of two columns and more"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 4 }, { kind = \"layer-norm\" }]",
       "model.layers[1].kind: the last layer must have weights"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 1, epsilon = 0.5 }]",
       "it is for a layer of kind \"gin\"; take it out"},
      {"epochs = 20", "loss = \"cross-entropy\"", "cross-entropy is for classes"},
      {"epochs = 20", "loss = \"logistic\"", "logistic is for classes"},
      {"gcn = { hidden = 16 }",
       "layers = [{ kind = \"gcn\", outputs = 1 }, { kind = \"logit\" }, { kind = \"dense\", outputs = 1 }]",
       "model.layers[1].kind: a logit makes two classes of one column; it must be the last layer"},
      {"gcn = { hidden = 16 }", "layers = [{ kind = \"gcn\", outputs = 1 }, { kind = \"logit\" }]",
       "data.classes: labels are targets, and the model ends with a logit"},
      {"epochs = 20", "optimiser = { kind = \"adam\" }\n[ring]\nfraction_bits = 16",
       "adam needs a ring of 64 bits with at most 14 fraction bits, not 64 with 16"},
      {"epochs = 20", "optimiser = { kind = \"adam\" }\n[ring]\nbits = 56\nfraction_bits = 12", "adam needs"},
      {"epochs = 20", "epochs = 20\n[ring]\nbits = 48\nfraction_bits = 17",
       "small.toml:14:17: ring.fraction_bits: 17 do not fit a ring of 48 bits, which has room for 16"},
      {"epochs = 20", "epochs = 20\n[ring]\nbits = 48\nfraction_bits = 16", "accepted"},
      {"\"rank 2\"", "\"columns 1,2,0\"",
       "small.toml:9:1: model.layers[2].outputs: the last layer with weights has 1 outputs for 3 targets (data.labels "
       "= \"columns "
       "1,2,0\")"},
      {"epochs = 20", "optimiser = { kind = \"adam\" }\n[ring]\nbits = 48\nfraction_bits = 12", "adam needs"},
      {"epochs = 20", "epochs = 20\nschedule = { warm_up = 20 }", "20 epochs of warming up leave none of 20"},
      {"epochs = 20", "schedule = { kind = \"cosine\", least = 1 }", "it is above the rate that it falls from, 0.1"},
      {"epochs = 20", "[reveal]\nmodel = 3", "there is no party of rank 3; parties are ranks 0 ... 2"},
      {"epochs = 20", "[[reveal.metric]]\nwhat = \"accuracy\"", "accuracy is for classes, and labels are targets"},
      {"epochs = 20", "[[reveal.metric]]\nwhat = \"rmse\"\nto = 7", "reveal.metric[0].to: there is no party of rank 7"},
      {"epochs = 20", "[[reveal.metric]]\nwhat = \"rmse\"\n[[reveal.metric]]\nwhat = \"rmse\"",
       "reveal.metric[1].what: reveal.metric[0] is the same"},
      {"epochs = 20", "stopping = { metric = \"accuracy\" }", "training.stopping.metric: accuracy is for classes"},
      {"epochs = 20", "[[reveal.metric]]\nwhat = \"f1\"", "f1 is for classes, and labels are targets"},
      {"epochs = 20", "[[reveal.metric]]\nwhat = \"roc_auc\"", "roc_auc is for classes, and labels are targets"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"r2\"\n[model]",
       "r2 is for targets, and labels are classes"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"roc_auc\"\n[model]",
       "reveal.metric[0].what: the roc_auc ranks one of 3 classes against the others; say which in class"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"roc_auc\"\nclass = 2\nbins = 16\n[model]", "accepted"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"recall\"\nclass = 3\n[model]",
       "reveal.metric[0].class: there is no class 3; classes are 0 ... 2"},
      {"[model]", "class_names = [\"a\", \"b\"]\nclasses = 3\n[model]\n",
       "small.toml:8:15: data.class_names: 2 names for 3 classes"},
      {"[model]", "class_names = [\"a\"]\n[model]\n", "one class is nothing to tell apart"},
      {"[model]", "class_names = [\"a\", \"a\"]\n[model]\n",
       "small.toml:8:15: data.class_names: classes 0 and 1 have the same name"},
      {"[model]", "class_names = \"a\"\n[model]\n", "data.class_names: expected a list with a name for each class"},
      {"[model]", "class_names = [\"a\", 7]\n[model]\n",
       "data.class_names: expected a list with a name for each class"},
      {"[model]", "class_names = [\"a\", \"b\"]\n[[reveal.metric]]\nwhat = \"f1\"\nclass = \"c\"\n[model]",
       "small.toml:11:9: reveal.metric[0].class: expected a class (a, b), or its number, from 0 on, not the text "
       "\"c\""},
      {"[model]", "classes = 2\n[[reveal.metric]]\nwhat = \"f1\"\nclass = \"c\"\n[model]",
       "or a name in data.class_names, not the text \"c\""},
      {"[model]", "class_names = [\"a\", \"b\"]\n[[reveal.metric]]\nwhat = \"f1\"\nclass = \"b\"\n[model]", "accepted"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"f1\"\n[[reveal.metric]]\nwhat = \"f1\"\nclass = 1\n[model]",
       "accepted"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"f1\"\n[[reveal.metric]]\nwhat = \"f1\"\nevery = 2\n[model]",
       "reveal.metric[1].what: reveal.metric[0] is the same"},
      {"[model]", "classes = 3\n[[reveal.metric]]\nwhat = \"f1\"\nclass = 1\naverage = \"macro\"\n[model]",
       "reveal.metric[0].average: the metric of one class has no average; take either out"},
      {"[model]",
       "classes = 3\n[[reveal.metric]]\nwhat = \"f1\"\nclass = 1\npart = \"validation\"\nevery = 1\n"
       "[[reveal.metric]]\nwhat = \"f1\"\naverage = \"micro\"\npart = \"validation\"\nevery = 1\n"
       "[training.plateau]\nmetric = \"f1\"\n[model]",
       "training.plateau.metric: rank 0 judges the validation f1, and the job reveals several to it; say which "
       "in training.plateau: class = 1, or average = \"micro\""},
      {"epochs = 20", "stopping = { metric = \"mae\", class = 1 }",
       "training.stopping.class: precision, recall, f1, roc_auc and average_precision have a class; take it out"},
      {"epochs = 20", "stopping = { metric = \"loss\", average = \"micro\" }",
       "training.stopping.average: precision, recall and f1 have an average; take it out"},
      {"epochs = 20", "class_weights = \"balanced\"",
       "training.class_weights: targets have no classes to weigh; take it out, or say how many in data.classes"},
      {"epochs = 20", "label_smoothing = 0.1", "training.label_smoothing: targets have no classes to smooth"},
      {"[model]\ngcn = { hidden = 16 }\n[training]",
       "classes = 3\n[model]\ngcn = { hidden = 16 }\n[training]\nclass_weights = [1, 2]",
       "training.class_weights: 2 weights for 3 classes; list one for each"},
      {"epochs = 20", "stopping = { metric = \"loss\" }", "accepted"},
      {"epochs = 20", "stopping = { metric = \"loss\", part = \"test\" }",
       "rank 0 judges the test loss, which is not revealed to it"},
      {"epochs = 20",
       "stopping = { metric = \"loss\", part = \"test\" }\n[[reveal.metric]]\nwhat = \"loss\"\nevery = 2", "accepted"},
      {"epochs = 20", "stopping = { metric = \"loss\" }\n[reveal]\nloss = 1",
       "small.toml:11:23: training.stopping.metric: rank 0 judges the loss, which is not revealed to it"},
      {"epochs = 20", "stopping = { metric = \"mae\" }\n[[reveal.metric]]\nwhat = \"mae\"",
       "rank 0 judges the validation mae, which is not revealed to it"},
      {"epochs = 20", "stopping = { metric = \"mae\" }\n[[reveal.metric]]\nwhat = \"mae\"\npart = \"validation\"",
       "say training.evaluate_every = 1, or more"},
      {"epochs = 20",
       "evaluate_every = 2\nstopping = { metric = \"mae\" }\n[[reveal.metric]]\nwhat = \"mae\"\npart = \"validation\"",
       "accepted"},
  };
  for (const auto& [what, with, says] : wrong) {
    EXPECT_THAT(checking(small_job_with(what, with)), HasSubstr(says)) << with;
  }
}

// Errors that would end the training after the rendezvous are found before it, with their place.
TEST(CheckJob, TakesASourceOfCorrelationsThatFitsTheMode) {
  const auto with = [](const std::string& job, std::string_view source) {
    return checking(fmt::format("correlations = \"{}\"\n{}", source, job));
  };
  const std::string on_shares(kSmallJob);
  EXPECT_EQ(with(on_shares, "dealer"), "accepted");
  EXPECT_EQ(with(on_shares, "pairwise"), "accepted");
  EXPECT_THAT(with(on_shares, "none"), HasSubstr("correlations: a training on shares needs a source of correlated "
                                                 "randomness; take \"dealer\" or \"pairwise\""));
  EXPECT_THAT(with(on_shares, "pairs"), AllOf(HasSubstr("correlations"), HasSubstr("pairwise")));
  const std::string aggregate = replaced(replaced(std::string(kPrivateJob), "correlations = \"dealer\"\n", ""),
                                         "[training]", "[training]\nmode = \"aggregate\"") +
                                "epsilon = 2\n";
  EXPECT_EQ(with(aggregate, "none"), "accepted");
  for (const char* source : {"dealer", "pairwise"}) {
    EXPECT_THAT(with(aggregate, source), HasSubstr("correlations: in the mode \"aggregate\"")) << source;
  }
}

TEST(CheckJob, WithoutADealerTakesNoiseFromThePartiesAlone) {
  const std::string job = replaced(std::string(kPrivateJob), "\"dealer\"", "\"pairwise\"") + "epsilon = 2\n";
  EXPECT_EQ(checking(job + "noise_from = \"parties\"\n"), "accepted");
  const auto refused = AllOf(HasSubstr("privacy.noise_from: "), HasSubstr("noise_from = \"parties\""));
  EXPECT_THAT(checking(job), refused);
  EXPECT_THAT(checking(job + "noise_from = \"both\"\n"), refused);
  EXPECT_THAT(checking(job + "noise_from = \"dealt\"\n"), refused);
}

TEST(CheckJob, CountsTheRanksThatASourceNeeds) {
  for (const auto& [source, ranks] : {std::pair("dealer", 4), std::pair("pairwise", 3)}) {
    const Job job = read(fmt::format("correlations = \"{}\"\n{}", source, kSmallJob)).job;
    EXPECT_EQ(job.ranks(), ranks);
    EXPECT_EQ(job.helpers(), ranks - 3);
  }
}

TEST(CheckJob, TakesNoNumberThatTrainingWouldRefuse) {
  int taken = 0;
  for (const char* settings :
       {"[ring]\nbits = 64\nfraction_bits = 20", "[ring]\nbits = 56\nfraction_bits = 18",
        "[ring]\nbits = 48\nfraction_bits = 16", "[ring]\nbits = 48\nfraction_bits = 8",
        "[ring]\nbits = 56\nfraction_bits = 19", "[ranges]\nfeatures = 1", "[ranges]\nweights = 1048576",
        "[ranges]\ngradients = 0.5", "[ranges]\nactivations = 1048577", "clip = 0.000001", "clip = 1048576",
        "clip = 0.0000001", "optimiser = { kind = \"sgd\", momentum = 0.9999 }",
        "optimiser = { kind = \"sgd\", momentum = 0.99995, weight_decay = 0.999 }",
        "optimiser = { kind = \"adam\", epsilon = 63 }\n[ring]\nfraction_bits = 14",
        "optimiser = { kind = \"adam\" }\n[ring]\nfraction_bits = 15",
        "optimiser = { kind = \"adam\" }\n[ring]\nbits = 56\nfraction_bits = 8"}) {
    const std::string text = small_job_and(settings);
    if (checking(text) != "accepted") continue;
    ++taken;
    EXPECT_EQ(refusal([&] { gnn::check(read(text).job.training, 8); }), "accepted") << settings;
  }
  EXPECT_EQ(taken, 10);
}

TEST(CheckJob, BetweenMachinesRequiresSettingsThatDecideTrust) {
  const auto naming = [](const std::string& text) {
    return refusal([&] {
      const ReadJob job = read(text);
      expect_named(job.job, job.sources);
    });
  };
  EXPECT_THAT(naming(std::string(kSmallJob)),
              HasSubstr("does not say correlations, preprocessing.features, preprocessing.targets, and"));
  const std::string named = small_job_with("[model]", "[preprocessing]\nfeatures = \"none\"\n[model]");
  EXPECT_THAT(naming(named), HasSubstr("does not say correlations, preprocessing.targets, and"));
  EXPECT_EQ(naming(replaced(replaced(named, "[preprocessing]", "[preprocessing]\ntargets = \"none\""), "parties = 3",
                            "parties = 3\ncorrelations = \"dealer\"")),
            "accepted");
}

}  // namespace
}  // namespace tacit::launcher
