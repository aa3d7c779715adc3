# Parts of the variance of replies by R's aov, which tests/evaluation/r holds as files.
#
# Debian: r-base-core. Then, from the project's folder:
#   Rscript tools/variance_by_r.R tests/evaluation/r
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(20261126)
number <- function(values) sprintf("%.15g", values)
save <- function(table, name) {
  write.csv(table, file.path(folder, name), row.names = FALSE, quote = FALSE)
}

# The mean squares, solved for what they expect.
parts <- NULL
designs <- list(
  list(name = "samples", of = expand.grid(order = 1:3, prompt = 1:2, sample = 1:2, template = 1:4),
    y = rbinom(48, 1, 0.6)),
  list(name = "models", of = expand.grid(prompt = 1:2, template = 1:4, model = 1:3),
    y = rbinom(24, 1, 0.6)))
squares <- function(formula, data) {
  found <- summary(aov(formula, data))[[1]]
  setNames(found[["Mean Sq"]], trimws(rownames(found)))
}
one <- lapply(designs[[1]]$of, factor)
one$y <- designs[[1]]$y
ms <- squares(y ~ (template / sample) * prompt * order, one)
names(ms) <- gsub("template", "t", gsub("sample", "s", gsub("prompt", "p", gsub("order", "o", names(ms)))))
rest <- ms[["t:s:p:o"]]
samples <- c(
  templates = (ms[["t"]] - ms[["t:s"]] - ms[["t:p"]] - ms[["t:o"]] + ms[["t:s:p"]] +
    ms[["t:s:o"]] + ms[["t:p:o"]] - rest) / 12,
  samples = (ms[["t:s"]] - ms[["t:s:p"]] - ms[["t:s:o"]] + rest) / 6,
  prompts = (ms[["p"]] - ms[["t:p"]] - ms[["p:o"]] + ms[["t:p:o"]]) / 24,
  orders = (ms[["o"]] - ms[["t:o"]] - ms[["p:o"]] + ms[["t:p:o"]]) / 16,
  `templates x prompts` = (ms[["t:p"]] - ms[["t:s:p"]] - ms[["t:p:o"]] + rest) / 6,
  `samples x prompts` = (ms[["t:s:p"]] - rest) / 3,
  `templates x orders` = (ms[["t:o"]] - ms[["t:s:o"]] - ms[["t:p:o"]] + rest) / 4,
  `samples x orders` = (ms[["t:s:o"]] - rest) / 2,
  `prompts x orders` = (ms[["p:o"]] - ms[["t:p:o"]]) / 8,
  `templates x prompts x orders` = (ms[["t:p:o"]] - rest) / 2,
  rest = rest)
two <- lapply(designs[[2]]$of, factor)
two$y <- designs[[2]]$y
ms <- squares(y ~ model * template * prompt, two)
rest <- ms[["model:template:prompt"]]
models <- c(
  models = (ms[["model"]] - ms[["model:template"]] - ms[["model:prompt"]] + rest) / 8,
  templates = (ms[["template"]] - ms[["model:template"]] - ms[["template:prompt"]] + rest) / 6,
  prompts = (ms[["prompt"]] - ms[["model:prompt"]] - ms[["template:prompt"]] + rest) / 12,
  `models x templates` = (ms[["model:template"]] - rest) / 2,
  `models x prompts` = (ms[["model:prompt"]] - rest) / 4,
  `templates x prompts` = (ms[["template:prompt"]] - rest) / 3,
  rest = rest)
for (name in c("samples", "models")) {
  found <- get(name)
  parts <- rbind(parts, data.frame(design = name, part = names(found), variance = number(found)))
}
save(parts, "parts.csv")
save(data.frame(design = rep(c("samples", "models"), c(48, 24)),
  y = c(designs[[1]]$y, designs[[2]]$y)), "numbers.csv")
