//! Colour quantization by median cut.

use std::collections::HashMap;

type Rgb = [u8; 3];

/// A palette, and the entry that replaces each colour.
pub(crate) struct Palette {
    colours: Vec<Rgb>,
    /// Keys are exact if the picture has few colours, else the upper five bits of each
    /// component.
    by_colour: HashMap<Rgb, u8>,
    is_exact: bool,
}

/// A colour reduced to the upper five bits of each component.
fn rough([r, g, b]: Rgb) -> Rgb {
    [r & 0xf8, g & 0xf8, b & 0xf8]
}

fn pixels(rgb: &[u8]) -> impl Iterator<Item = Rgb> + '_ {
    rgb.as_chunks::<3>().0.iter().copied()
}

impl Palette {
    /// Chooses at most `most` colours for a picture.
    pub(crate) fn of(rgb: &[u8], most: usize) -> Palette {
        let mut exact: HashMap<Rgb, u8> = HashMap::new();
        let mut colours = Vec::new();
        for pixel in pixels(rgb) {
            if exact.contains_key(&pixel) {
                continue;
            }
            if colours.len() == most {
                return Palette::cut(rgb, most);
            }
            exact.insert(pixel, colours.len() as u8);
            colours.push(pixel);
        }
        Palette { colours, by_colour: exact, is_exact: true }
    }

    fn cut(rgb: &[u8], most: usize) -> Palette {
        // By reduced colour: the number of pixels and the sums of their components.
        let mut counts: Vec<(Rgb, [u64; 4])> = vec![([0; 3], [0; 4]); 1 << 15];
        for pixel in pixels(rgb) {
            let [r, g, b] = pixel.map(|it| usize::from(it >> 3));
            if let Some(it) = counts.get_mut(r << 10 | g << 5 | b) {
                let [pr, pg, pb] = pixel.map(u64::from);
                let [n, r, g, b] = it.1;
                *it = (rough(pixel), [n + 1, r + pr, g + pg, b + pb]);
            }
        }
        counts.retain(|it| it.1[0] > 0);
        let mut boxes: Vec<Vec<(Rgb, [u64; 4])>> = vec![counts];
        while boxes.len() < most {
            let worth = |it: &Vec<(Rgb, [u64; 4])>| {
                let n: u64 = it.iter().map(|it| it.1[0]).sum();
                // Rare colours that lie far apart count as well as common ones.
                let (_, range) = longest(it);
                if it.len() < 2 { 0 } else { u64::from(range) * (n.isqrt() + 1) }
            };
            let Some((idx, _)) =
                boxes.iter().enumerate().max_by_key(|it| worth(it.1)).filter(|it| worth(it.1) > 0)
            else {
                break;
            };
            let mut members = boxes.swap_remove(idx);
            let (part, _) = longest(&members);
            members.sort_by_key(|it| it.0.get(part).copied());
            let half: u64 = members.iter().map(|it| it.1[0]).sum::<u64>() / 2;
            let mut sum = 0;
            let at = members.iter().position(|it| {
                sum += it.1[0];
                sum > half
            });
            let at = at.unwrap_or(0).clamp(1, members.len().max(2) - 1);
            let rest = members.split_off(at);
            boxes.push(members);
            boxes.push(rest);
        }
        let mut palette =
            Palette { colours: Vec::new(), by_colour: HashMap::new(), is_exact: false };
        for (idx, members) in boxes.iter().enumerate() {
            let sums = members.iter().fold([0; 4], |sums: [u64; 4], it| {
                let [a, b, c, d] = it.1;
                [sums[0] + a, sums[1] + b, sums[2] + c, sums[3] + d]
            });
            let [n, r, g, b] = sums;
            palette.colours.push([r, g, b].map(|it| (it / n.max(1)).min(255) as u8));
            for (colour, _) in members {
                palette.by_colour.insert(*colour, idx as u8);
            }
        }
        palette
    }

    /// The components of all colours in one list.
    pub(crate) fn flat(&self) -> Vec<u8> {
        self.colours.as_flattened().to_vec()
    }

    /// The palette entry of each pixel.
    pub(crate) fn numbers(&self, rgb: &[u8]) -> Vec<u8> {
        let key = |it: Rgb| if self.is_exact { it } else { rough(it) };
        pixels(rgb).map(|it| self.by_colour.get(&key(it)).copied().unwrap_or(0)).collect()
    }
}

/// The component with the largest range, and that range.
fn longest(members: &[(Rgb, [u64; 4])]) -> (usize, u8) {
    let range = |part: usize| {
        let values = || members.iter().filter_map(|it| it.0.get(part).copied());
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    let part = (0..3).max_by_key(|&it| (range(it), it == 1)).unwrap_or(0);
    (part, range(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are() {
        let rgb = [[1, 2, 3], [200, 0, 0], [1, 2, 3]].as_flattened().to_vec();
        let palette = Palette::of(&rgb, 2);
        assert_eq!(palette.flat(), [1, 2, 3, 200, 0, 0]);
        assert_eq!(palette.numbers(&rgb), [0, 1, 0]);
    }

    #[test]
    fn many_colours_become_few_that_are_near() {
        let rgb: Vec<u8> = (0..=255).flat_map(|it| [it, 255 - it, it / 2]).collect();
        let palette = Palette::of(&rgb, 16);
        assert_eq!(palette.colours.len(), 16);
        for (pixel, number) in pixels(&rgb).zip(palette.numbers(&rgb)) {
            let near = palette.colours[usize::from(number)];
            let far = pixel.iter().zip(near).map(|(a, b)| a.abs_diff(b)).max();
            assert!(far < Some(40), "{pixel:?} {near:?}");
        }
    }
}
