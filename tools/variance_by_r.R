# Parts of the variance of replies by R's aov, and the power of comparisons, which tests/evaluation/r holds as files.
#
# Debian: r-base-core, r-cran-lmertest. Then, from the project's folder:
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

# The power of a comparison of two models: of templates alone that of power.t.test; of templates and
# prompts the share of 300 drawn evaluations in which lmerTest finds the difference. The parts are
# of one model's replies, so that a difference of two varies by twice as much.
suppressMessages(library(lmerTest))
shown <- function(templates, prompts, difference, of_template, of_prompt, of_both) {
  data <- expand.grid(t = factor(seq_len(templates)), p = factor(seq_len(prompts)))
  draw <- function(count, variance) rnorm(count, 0, sqrt(2 * variance))
  control <- lmerControl(calc.derivs = FALSE, check.conv.singular = "ignore")
  mean(replicate(300, {
    data$y <- difference + draw(templates, of_template)[data$t] + draw(prompts, of_prompt)[data$p] +
      draw(nrow(data), of_both)
    found <- suppressMessages(lmer(y ~ 1 + (1 | t) + (1 | p), data, control = control))
    coef(summary(found))[1, "Pr(>|t|)"] < 0.05
  }))
}
power <- NULL
for (case in list(c(5, 0.3, 0.05), c(60, 0.08, 0.05), c(60, 0.08, 0.01), c(900, 0.02, 0.05))) {
  found <- power.t.test(case[1], case[2], sqrt(2 * 0.04), case[3], type = "one.sample", strict = TRUE)
  power <- rbind(power, data.frame(templates = case[1], prompts = 1, difference = case[2],
    level = case[3], of_template = 0.04, of_prompt = 0, of_both = 0, power = number(found$power)))
}
for (case in list(c(30, 3, 0.25, 0.08, 0.002, 0.2), c(20, 8, 0.4, 0.04, 0.02, 0.08))) {
  power <- rbind(power, data.frame(templates = case[1], prompts = case[2], difference = case[3],
    level = 0.05, of_template = case[4], of_prompt = case[5], of_both = case[6],
    power = number(do.call(shown, as.list(case)))))
}
save(power, "power.csv")
